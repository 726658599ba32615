/** One server-sent event. Wires with a different framing are split into the same form. */
export type Frame = { event?: string | undefined; data: string };

/**
 * Follows the last frame of a stream whose body ended without a break. Chat completions need it, since some
 * hosts never send `[DONE]`. A protocol with an end event of its own throws here if that event is missing.
 */
export const END_OF_BODY: Frame = { data: '' };

/** Follows the last frame of a stream whose protocol marks no frame as the last. */
export const END_OF_STREAM: Frame = { event: 'end-of-stream', data: '' };
