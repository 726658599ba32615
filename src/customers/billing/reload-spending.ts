import { monthOf } from '../../money/ledger/month-of.ts';
import type { BillingRecord, ReloadBody } from './billing-record.ts';
import { newRecord } from './new-record.ts';

/**
 * Sums the automatic purchases in the month of `now`.
 * An attempt that began in an earlier month still counts in this one.
 */
export const spentIn = ({ month, spentCents, attempt }: ReloadBody, now: number): number =>
  month === monthOf(now) ? spentCents : (attempt?.cents ?? 0);

/** Returns the record of an account that buys nothing automatically. */
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
