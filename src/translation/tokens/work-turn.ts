import type { CountTurn, TurnCounts } from './count-turn.ts';
import { mediaTokens } from './media-tokens.ts';
import { SLICE_LENGTH, slicesOf } from './slice-text.ts';
import { tokenFamily } from './token-family.ts';
import type { CountText } from './vocabulary.ts';

type Tools = { countSlice: CountText; now: () => number };

/** Counts until the turn's time is over. At least one slice is counted, so that every turn makes progress. */
export function workTurn(turn: CountTurn, { countSlice, now }: Tools): TurnCounts {
  const { parts, goesOn, model, perCut, forMs } = turn;
  const startedAt = now();
  const tokens: number[] = [];
  let read = 0;
  const tookMs = () => now() - startedAt;
  for (const [at, part] of parts.entries()) {
    let sum = 0;
    read = 0;
    if (typeof part !== 'string') sum = model ? mediaTokens(part, tokenFamily(model), 'thorough') : 0;
    else
      for (const { from, end, isSure } of slicesOf(part)) {
        // The text after an unfinished part decides where its last slices end.
        if (goesOn && at === parts.length - 1 && from + SLICE_LENGTH + 1 >= part.length) break;
        sum += countSlice(part.slice(from, end)) + (isSure ? 0 : perCut);
        read = end;
        if (tookMs() > forMs) break;
      }
    tokens.push(sum);
    if (tookMs() > forMs) break;
  }
  return { tokens, read, tookMs: tookMs() };
}
