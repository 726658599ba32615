import { countInput, countOutput, splitList } from '../inference/responses/split-list.ts';
import type { ItemCounts, StoredResponse } from '../money/ledger/stored-response.ts';
import { expiryStep } from './expiry-step.ts';

/**
 * Lists up to this size stay in the turn's row. A page of items then parses at most this much, and a second
 * row would cost as much as the first.
 */
const MAX_INSIDE = 32 * 1024;
/**
 * A continued turn is kept longer by this share of a response's lifetime, so that few continuations write it
 * again.
 */
const SLACK = 1 / 24;

/** A part of a long list of a turn, which is stored apart from the turn's row. */
export type TurnPart = { isOutput: boolean; items: number; text: string };

/** The lists of a turn, with the numbers of their listed items. */
export type TurnLists = { input: string; output: string; counts: ItemCounts };

/** Returns the text of a list in the turn's row. It is empty if the list has parts. */
export const insideOf = (list: string): string => (isInside(list) ? list : '');

const isInside = (list: string): boolean => list.length <= MAX_INSIDE;

export const countsOf = ({ turn, counts }: StoredResponse, input: string): ItemCounts => ({
  input: counts && input === turn.input ? counts.input : countInput(input),
  output: counts?.output ?? countOutput(turn.output),
});

/** Returns the parts of a turn's long lists in their order. */
export function turnParts({ input, output, counts }: TurnLists): TurnPart[] {
  const parts = (list: string, of: { items: number; isOutput: boolean }) =>
    isInside(list) ? [] : splitList(list, of).map((part) => ({ ...part, isOutput: of.isOutput }));
  return [
    ...parts(input, { items: counts.input, isOutput: false }),
    ...parts(output, { items: counts.output, isOutput: true }),
  ];
}

/** Joins the parts of a list. Each part is a JSON list with at least one item. */
export function joinTurnParts(parts: string[]): string {
  const [onlyPart = ''] = parts;
  return parts.length === 1 ? onlyPart : `[${parts.map((part) => part.slice(1, -1)).join(',')}]`;
}

/** Returns the time until which a response keeps the turns that it continues. */
export function keptUntil({ createdAt, expiresAt }: StoredResponse): number {
  const later = expiresAt + Math.ceil((expiresAt - createdAt) * SLACK);
  return expiryStep({ createdAt, expiresAt: later });
}
