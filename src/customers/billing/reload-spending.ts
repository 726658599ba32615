import { monthOf } from '../../money/ledger/month-of.ts';
import type { BillingRecord, ReloadBody } from './billing-record.ts';
import { newRecord } from './new-record.ts';

/**
 * Sums the reloads in the month of `now`.
 * A reload that is under way counts even if it began in an earlier month.
 */
export const spentIn = ({ month, spentCents, attempt }: ReloadBody, now: number): number =>
  month === monthOf(now) ? spentCents : (attempt?.cents ?? 0);

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
