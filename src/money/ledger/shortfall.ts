/** The limits that can reduce a charge below the cost. */
export type Bound = 'purchased-balance' | 'key-cap' | 'budget';

/** A charge below the list cost. The list cost is the cost at the request's rates without any limit. */
export type Shortfall = { listCostMicrocredits: number; bound: Bound };

/** The number of charges below their list cost, and the amount by which they are below it. */
export type ShortfallSums = Readonly<Record<Bound, { postings: number; microcredits: number }>>;

/** Counts charges below their list cost. */
export class ShortfallCount {
  readonly sums: ShortfallSums = {
    'purchased-balance': { postings: 0, microcredits: 0 },
    'key-cap': { postings: 0, microcredits: 0 },
    budget: { postings: 0, microcredits: 0 },
  };

  /** Runs after each charge that is counted. */
  onAdded: (() => void) | undefined;

  add(bound: Bound, microcredits: number): void {
    const sum = this.sums[bound];
    sum.postings += 1;
    sum.microcredits += microcredits;
    this.onAdded?.();
  }
}
