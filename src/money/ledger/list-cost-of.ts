import { costOfCharge } from './charge-detail.ts';
import type { Entry, Receipt } from './entry.ts';

/** Entries without an endpoint come from versions that recorded no shortfall. Their list cost is computed. */
export function listCostOf({ microcredits }: Pick<Entry, 'microcredits'>, receipt: Receipt): number {
  if (receipt.shortfall) return receipt.shortfall.listCostMicrocredits;
  if (receipt.endpoint !== undefined) return microcredits;
  return Math.max(microcredits, costOfCharge(receipt.tokens, receipt.rates, receipt.detail));
}
