import type { Entry, Receipt } from './entry.ts';

/** The error of an entry that could not be read back if it were written. Nothing of the entry is written. */
export class UnreadableEntry extends Error {
  override readonly name = 'UnreadableEntry';
}

/** Throws if `readEntry` would reject the text of this entry. */
export function refuseUnreadable(
  { id, accountId, at, kind, period, microcredits, receipt }: Entry,
  sequence: number,
): void {
  for (const text of [id, accountId, kind, period])
    if (typeof text !== 'string' || text === '') throw unreadable(id, 'a text field is missing');
  for (const value of [sequence, at, microcredits])
    if (!Number.isSafeInteger(value)) throw unreadable(id, `${value} is not a safe integer`);
  if (receipt) refuseReceipt(id, receipt);
}

function refuseReceipt(id: string, receipt: Receipt): void {
  const { tokens, rates, heldMicrocredits, attempts, endedAt = 0, beyondCapMicrocredits = 0 } = receipt;
  const outputCeiling = receipt.outputCeiling ?? 0;
  const listCostMicrocredits = receipt.shortfall?.listCostMicrocredits ?? 0;
  refuseCounts(id, tokens);
  refuseCounts(id, rates);
  refuseCounts(id, {
    heldMicrocredits,
    attempts,
    endedAt,
    outputCeiling,
    beyondCapMicrocredits,
    listCostMicrocredits,
  });
  for (const { count, rate } of receipt.detail?.lines ?? []) refuseCounts(id, { count, rate });
}

/** Throws if one of the counts is not a safe integer of at least 0. */
function refuseCounts(id: string, counts: Readonly<Record<string, number>>): void {
  for (const name in counts) {
    const count = counts[name];
    if (!Number.isSafeInteger(count) || Number(count) < 0)
      throw unreadable(id, `${name} is ${count}, which is not a count`);
  }
}

const unreadable = (id: string, reason: string): UnreadableEntry =>
  new UnreadableEntry(`The entry ${id} could not be read back: ${reason}`);
