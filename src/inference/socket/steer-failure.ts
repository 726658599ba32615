/** The reason why input was not steered, in the vendor's words. */
const problems = {
  response_not_found: 'The response is not available on this connection.',
  invalid_input: 'The input must be a text, or messages of the user.',
  steering_not_supported: 'The model or the kind of request does not support steering.',
  too_many_pending_steers: 'Too much input waits for this response.',
  response_already_completed: 'The response has been completed.',
  successor_creation_failed: 'The response that would take the input could not be created.',
} as const;

export type SteerProblem = keyof typeof problems;

/** Returns the event of input that was not steered. */
export const steerFailure = (code: SteerProblem, { number, steer }: { number: number; steer: object }) => ({
  type: 'response.steer.failed',
  sequence_number: number,
  error: { type: 'invalid_request_error', code, message: problems[code] },
  steer,
});
