import type { ShortfallSums } from '../ledger/shortfall.ts';
import { Gauge, type Metric } from './metrics.ts';

type Sum = ShortfallSums[keyof ShortfallSums];

/** What the ledger counts by itself. */
export function ledgerMetrics({ shortfalls }: { readonly shortfalls: ShortfallSums }): Metric[] {
  const byBound = (name: string, help: string, read: (sum: Sum) => number) =>
    new Gauge(
      { name, help, labels: ['bound'] },
      () => Object.entries(shortfalls).map(([bound, sum]) => [[bound], read(sum)] as const),
      'counter',
    );
  return [
    byBound(
      'tollgate_shortfall_postings_total',
      'Charges below their list cost, by what ended before it.',
      ({ postings }) => postings,
    ),
    byBound(
      'tollgate_shortfall_microcredits_total',
      'What was not charged of list costs, by what ended before them.',
      ({ microcredits }) => microcredits,
    ),
  ];
}
