import type { Entry, Receipt } from './entry.ts';
import { flagValues, receiptValues } from './entry-text.ts';

/**
 * The text of an entry without its sequence number and its amount: the sequence stands between the first two
 * pieces, and the amount between the last two. `formatEntry` writes the same text.
 * The last piece has no receipt.
 */
export function entryPieces({ accountId, at, kind, period, reason }: Entry): [string, string, string] {
  const between = JSON.stringify([at, kind, period]).slice(1, -1);
  return [`[${JSON.stringify(accountId)},`, `,${between},`, `,${JSON.stringify(reason)},null]`];
}

/**
 * Returns the text of a receipt before the amounts that the charge decides, without its closing bracket, and
 * the flags after them.
 */
export function receiptPieces(receipt: Receipt, at: number): { charged: string; flags: string } {
  const { shortfall: _, beyondCapMicrocredits: __, ...undecided } = receipt;
  const flags = flagValues(receipt);
  const plain = flags.length > 0 ? { ...undecided, ...NO_FLAGS } : undecided;
  const charged = JSON.stringify(receiptValues(plain, at)).slice(0, -1);
  return { charged, flags: flags.length > 0 ? `,${JSON.stringify(flags).slice(1, -1)}` : '' };
}

const NO_FLAGS = {
  isImplausible: undefined,
  isSimulated: undefined,
  detail: undefined,
  priceRow: undefined,
  labels: undefined,
} satisfies Partial<Record<keyof Receipt, undefined>>;
