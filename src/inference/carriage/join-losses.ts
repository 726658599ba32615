import type { LossCode } from '../../translation/canonical/loss.ts';

/** Returns both lists as one, with each loss once. */
export const joinLosses = (losses: readonly LossCode[], further: readonly LossCode[]): readonly LossCode[] =>
  further.length === 0 ? losses : [...new Set([...losses, ...further])];
