import type { Entry, Receipt } from './entry.ts';

/** An entry that could not be read back if it were written. Nothing of it is written. */
export class UnreadableEntry extends Error {
  override readonly name = 'UnreadableEntry';
}

/** Throws if `readEntry` would reject the text of this entry. */
export function refuseUnreadable(
  { id, accountId, at, kind, period, microcredits, receipt }: Entry,
  sequence: number,
): void {
  for (const text of [id, accountId, kind, period])
    if (typeof text !== 'string' || text === '') refuse(id, 'a text field is missing');
  for (const value of [sequence, at, microcredits])
    if (!Number.isSafeInteger(value)) refuse(id, `${value} cannot be counted exactly`);
  if (receipt) refuseReceipt(id, receipt);
}

function refuseReceipt(id: string, receipt: Receipt): void {
  const { tokens, rates, heldMicrocredits, attempts, endedAt = 0, outputCeiling, shortfall } = receipt;
  refuseCounts(id, tokens);
  refuseCounts(id, rates);
  refuseCounts(id, { heldMicrocredits, attempts, endedAt, outputCeiling: outputCeiling ?? 0 });
  const { beyondCapMicrocredits = 0 } = receipt;
  refuseCounts(id, { beyondCapMicrocredits, listCostMicrocredits: shortfall?.listCostMicrocredits ?? 0 });
  for (const { count, rate } of receipt.detail?.lines ?? []) refuseCounts(id, { count, rate });
}

function refuseCounts(id: string, counts: Readonly<Record<string, number>>): void {
  for (const name in counts) {
    const count = counts[name]!;
    if (!Number.isSafeInteger(count) || count < 0) refuse(id, `${name} is ${count}, which is not a count`);
  }
}

const refuse = (id: string, why: string): never => {
  throw new UnreadableEntry(`The entry ${id} could not be read back: ${why}`);
};
