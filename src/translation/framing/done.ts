/** The data of the frame with which many protocols end a stream, after its last event. */
export const DONE = '[DONE]';
