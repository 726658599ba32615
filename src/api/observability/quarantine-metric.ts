import { Gauge, type Metric } from './metrics.ts';

/** More than none is an alarm. */
export const quarantineMetric = (count: () => number): Metric =>
  new Gauge(
    {
      name: 'tollgate_quarantined_accounts',
      help: 'Accounts that are not served until their ledger is repaired.',
    },
    () => [[[], count()]],
  );
