import { monthOf } from '../../money/ledger/month-of.ts';
import type { BillingRecord } from './billing-record.ts';
import { newRecord } from './new-record.ts';

/** Returns the record of an account without reloads. */
export const noReload = (accountId: string, now: number): BillingRecord<'reload'> =>
  newRecord({
    kind: 'reload',
    id: accountId,
    accountId,
    createdAt: now,
    body: {
      isOn: false,
      thresholdCredits: 0,
      amountCents: 0,
      ceilingCents: 0,
      month: monthOf(now),
      spentCents: 0,
      attempt: null,
      failures: 0,
      error: null,
    },
  });
