import type { TextBounds } from './count-job.ts';
import { slicesOf } from './slice-text.ts';
import type { CountText } from './vocabulary.ts';

/** The most awkward text is counted at a third of a megabyte in this time, any ordinary one at ten. */
const BUDGET_MS = 1_000;

export type BoundTerms = {
  countSlice: CountText;
  /** From so many tokens on it does not matter how many there are. */
  most: number;
  now: () => number;
};

/**
 * How many tokens each text is. A cut in the middle of a word may make a token less of it, and counts for one. What cannot be counted in
 * time is taken for its bytes.
 */
export function boundTexts(texts: readonly string[], { countSlice, most, now }: BoundTerms): TextBounds {
  const until = now() + BUDGET_MS;
  const bounds: number[] = [];
  let sum = 0;
  let sure = 0;
  for (const text of texts) {
    let bound = 0;
    let counted = 0;
    for (const { from, end, isSure } of slicesOf(text)) {
      if (sum + bound > most || now() > until) break;
      bound += countSlice(text.slice(from, end)) + (isSure ? 0 : 1);
      counted = end;
    }
    if (counted === text.length) sure++;
    else bound += Buffer.byteLength(text.slice(counted));
    bounds.push(bound);
    sum += bound;
  }
  return { bounds, sure };
}
