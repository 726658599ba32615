import { isFull } from './is-full.ts';

/**
 * Returns all cases in a full run. An ordinary run has every `of`th one, beginning with the one at `turn`.
 */
export const shareOf = <T>(cases: readonly T[], { turn, of }: { turn: number; of: number }): readonly T[] =>
  isFull ? cases : cases.filter((_, index) => index % of === turn % of);
