import type { Entry, Receipt } from './entry.ts';
import { detailValues, receiptValues } from './entry-text.ts';

/**
 * The text of an entry without its sequence number and its amount: the sequence stands between the first two pieces, and the amount
 * between the last two. `formatEntry` writes the same text. The last piece has no receipt.
 */
export function entryPieces({ accountId, at, kind, period, reason }: Entry): [string, string, string] {
  const between = JSON.stringify([at, kind, period]).slice(1, -1);
  return [`[${JSON.stringify(accountId)},`, `,${between},`, `,${JSON.stringify(reason)},null]`];
}

/** The text of a receipt before the amounts that the charge decides, without its closing bracket, and the flags after them. */
export function receiptPieces(receipt: Receipt, at: number): { charged: string; flags: string } {
  const {
    shortfall: _,
    beyondCapMicrocredits: __,
    isImplausible,
    isSimulated,
    detail,
    priceRow,
    ...rest
  } = receipt;
  const charged = JSON.stringify(receiptValues(rest, at)).slice(0, -1);
  const isDetailed = detail !== undefined || priceRow !== undefined;
  if (!isImplausible && !isSimulated && !isDetailed) return { charged, flags: '' };
  const late = [
    isImplausible === true,
    ...(isSimulated || isDetailed ? [isSimulated === true] : []),
    ...(isDetailed ? [detail ? detailValues(detail) : null] : []),
    ...(priceRow === undefined ? [] : [priceRow]),
  ];
  return { charged, flags: `,${JSON.stringify(late).slice(1, -1)}` };
}
