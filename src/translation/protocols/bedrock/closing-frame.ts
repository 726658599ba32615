import type { Frame } from '../../contract/frame.ts';

/** The frame after the last one of a stream. Usage comes last, and some models send no usage. */
export const closingFrame: Frame = { event: 'end-of-stream', data: '' };
