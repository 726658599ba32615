import { Gauge, type Metric } from './metrics.ts';

/** Counts quarantined accounts. A value above 0 needs an operator. */
export const quarantineMetric = (count: () => number): Metric =>
  new Gauge(
    {
      name: 'tollgate_quarantined_accounts',
      help: 'Accounts in quarantine. They are not served until their ledger is repaired.',
    },
    () => [[[], count()]],
  );
