import type { Metric } from './metric.ts';
import { single } from './read-metric.ts';

/** The number of quarantined accounts. A value above 0 needs an operator. */
export const quarantineMetric = (count: () => number): Metric =>
  single(
    {
      name: 'tollgate_quarantined_accounts',
      help: 'Accounts in quarantine. They are not served until their ledger is repaired.',
    },
    count,
  );
