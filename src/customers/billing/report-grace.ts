import { isoTime } from '../../base/lib/iso-time.ts';
import type { BillingParts } from './billing-parts.ts';

export type Grace = { accountId: string; subscriptionId: string; periodStart: number; until: number };

/** Reports a failed renewal to operators and to the organization. */
export function reportGrace(
  { alerts }: Pick<BillingParts, 'alerts'>,
  { accountId, subscriptionId, periodStart, until }: Grace,
): void {
  const name = `renewal_failed ${subscriptionId} ${periodStart}`;
  alerts.raise({ name, until: null }, () => ({
    event: 'payment_problem',
    message: `The renewal of the plan of account ${accountId} has failed. The plan continues until ${isoTime(until)}.`,
    data: { problem: 'renewal-failed', account_id: accountId, grace_until: isoTime(until) },
    organization: accountId,
  }));
}
