import type { ShortfallSums } from '../../money/ledger/shortfall.ts';
import type { Metric } from './metric.ts';
import { ReadMetric } from './read-metric.ts';

type Sum = ShortfallSums[keyof ShortfallSums];

/** Returns the metrics that the ledger maintains. */
export function ledgerMetrics({ shortfalls }: { readonly shortfalls: ShortfallSums }): Metric[] {
  const byBound = (name: string, help: string, read: (sum: Sum) => number) =>
    new ReadMetric(
      { name, help, labels: ['bound'] },
      () => Object.entries(shortfalls).map(([bound, sum]) => [[bound], read(sum)] as const),
      'counter',
    );
  return [
    byBound(
      'tollgate_shortfall_postings_total',
      'Charges below their list cost, by the bound that limited them.',
      ({ postings }) => postings,
    ),
    byBound(
      'tollgate_shortfall_microcredits_total',
      'Micro-credits of list cost that were not charged, by the bound that limited the charge.',
      ({ microcredits }) => microcredits,
    ),
  ];
}
