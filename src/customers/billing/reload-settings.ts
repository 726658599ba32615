import type { BillingRecord, ReloadBody } from './billing-record.ts';

export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

export const startOfMonth = (month: string): number => Date.parse(`${month}-01T00:00:00Z`);

/** Returns the start of the next calendar month. */
export function nextMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/**
 * Sums the automatic purchases in the month of `now`.
 * An attempt that began in an earlier month still counts in this one.
 */
export function spentIn({ month, spentCents, attempt }: ReloadBody, now: number): number {
  if (month === monthOf(now)) return spentCents;
  return attempt?.cents ?? 0;
}

export const noReload = (accountId: string, now: number): BillingRecord<'reload'> => ({
  kind: 'reload',
  id: accountId,
  accountId,
  reference: null,
  dueAt: null,
  createdAt: now,
  version: 1,
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
