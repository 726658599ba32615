import type { Metric } from './metric.ts';
import { single } from './read-metric.ts';

/** The number of settlements in the spool, whichever the store is. */
export const spoolMetric = (waiting: () => number): Metric =>
  single(
    {
      name: 'tollgate_spool_settlements',
      help: 'Settlements in the spool, which wait until the store can be written again.',
    },
    waiting,
  );
