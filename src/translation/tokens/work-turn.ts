import type { CountTurn, TurnCounts } from './count-turn.ts';
import { findTokenFamily } from './find-token-family.ts';
import { mediaTokens } from './media-tokens.ts';
import { SLICE_LENGTH, slicesOf } from './slice-text.ts';
import type { CountText } from './vocabulary.ts';

type TurnParts = { countSlice: CountText; now: () => number };

/** Counts until the turn's time is over. At least one slice is counted, so that every turn makes progress. */
export function workTurn(turn: CountTurn, { countSlice, now }: TurnParts): TurnCounts {
  const { parts, goesOn, model, perCut, forMs } = turn;
  const startedAt = now();
  const tookMs = () => now() - startedAt;
  const isOver = () => tookMs() > forMs;
  /** Counts slices of a text. The text after an unfinished one decides where its last slices end. */
  const countText = (text: string, isUnfinished: boolean): { sum: number; read: number } => {
    let sum = 0;
    let read = 0;
    for (const { from, end, isSure } of slicesOf(text)) {
      if (isUnfinished && from + SLICE_LENGTH + 1 >= text.length) break;
      sum += countSlice(text.slice(from, end)) + (isSure ? 0 : perCut);
      read = end;
      if (isOver()) break;
    }
    return { sum, read };
  };
  const tokens: number[] = [];
  let read = 0;
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') {
      const counted = countText(part, goesOn && index === parts.length - 1);
      tokens.push(counted.sum);
      read = counted.read;
    } else {
      tokens.push(model ? mediaTokens(part, findTokenFamily(model), 'thorough') : 0);
      read = 0;
    }
    if (isOver()) break;
  }
  return { tokens, read, tookMs: tookMs() };
}
