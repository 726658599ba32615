import type { AccountSubscription } from './account-subscription.ts';
import { type BillingParts, STRIPE } from './billing-parts.ts';
import { latestStatusChange } from './latest-status-change.ts';

/**
 * Reports whether a failed renewal has suspended the account. Operators lift their own suspensions. If the
 * audit log no longer has the change, the record of the customer decides.
 */
export async function isSuspendedForRenewal(
  parts: Pick<BillingParts, 'accounts'>,
  { customer, account }: Pick<AccountSubscription, 'customer' | 'account'>,
): Promise<boolean> {
  if (account.status !== 'suspended') return false;
  const latest = await latestStatusChange(parts, account.id);
  return latest ? latest.actor === STRIPE : customer.body.isSuspended;
}
