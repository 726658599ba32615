import type { LossCode } from '../../translation/canonical/loss.ts';

/** A shared list, since most requests lose nothing. */
export const NO_LOSSES: readonly LossCode[] = [];

/** Returns both lists as one, with each loss once. */
export const joinLosses = (losses: readonly LossCode[], further: readonly LossCode[]): readonly LossCode[] =>
  further.length === 0 ? losses : [...new Set([...losses, ...further])];
