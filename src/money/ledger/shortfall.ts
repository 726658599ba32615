import { costOfTokens } from './cost-of-usage.ts';
import type { Entry, Receipt } from './entry.ts';

/** What may end before a request's cost does. */
export type Bound = 'purchased-balance' | 'key-cap';

/** A charge below the list cost, which is what the request cost at its rates before any bound. */
export type Shortfall = { listCostMicrocredits: number; bound: Bound };

/** What charges below their list cost add up to. */
export type ShortfallSums = Readonly<Record<Bound, { postings: number; microcredits: number }>>;

export class ShortfallCount {
  readonly sums: ShortfallSums = {
    'purchased-balance': { postings: 0, microcredits: 0 },
    'key-cap': { postings: 0, microcredits: 0 },
  };

  add(bound: Bound, microcredits: number): void {
    const sum = this.sums[bound];
    sum.postings += 1;
    sum.microcredits += microcredits;
  }
}

/** Entries of versions that wrote no endpoint down say nothing of a shortfall either: their list cost is computed. */
export function listCostOf({ microcredits }: Pick<Entry, 'microcredits'>, receipt: Receipt): number {
  if (receipt.shortfall) return receipt.shortfall.listCostMicrocredits;
  if (receipt.endpoint !== undefined) return microcredits;
  return Math.max(microcredits, costOfTokens(receipt.tokens, receipt.rates));
}
