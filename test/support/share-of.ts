import { isFull } from './is-full.ts';

/**
 * In the ordinary run, cases take turns: returns every `of`th one, beginning with the one at `turn`.
 * A full run has all of them.
 */
export const shareOf = <T>(cases: readonly T[], { turn, of }: { turn: number; of: number }): readonly T[] =>
  isFull ? cases : cases.filter((_, index) => index % of === turn % of);
