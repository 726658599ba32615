import type { Frame } from '../../contract/frame.ts';

/** The frame after the last one of a stream, since this wire marks no frame as the last. */
export const closingFrame: Frame = { event: 'end-of-stream', data: '' };
