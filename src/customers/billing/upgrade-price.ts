import type { Account } from '../../money/accounts/account.ts';
import { priceOf } from '../../money/accounts/plan-terms.ts';
import { hasCycle } from '../../money/accounts/roll-cycle.ts';
import type { PlanId } from '../../settings/plans/plan.ts';
import type { BillingParts } from './billing-parts.ts';
import type { BillingRecord } from './billing-record.ts';
import { stripePrice } from './stripe-prices.ts';
import { isLive } from './subscription-standing.ts';

/** An account's change to a more expensive plan. */
export type Upgrade = {
  account: Account;
  plan: PlanId;
  customer: BillingRecord<'customer'> | undefined;
};

/**
 * Returns the sum that an upgrade costs now: the whole difference of the monthly prices, since the whole
 * cycle's credits are granted. Without a running cycle, it is the whole price.
 */
export function upgradePriceUsd(parts: BillingParts, { account, plan, customer }: Upgrade): number {
  const plans = parts.plans();
  const priceUsd = plans[plan].priceUsd ?? 0;
  return Math.max(0, Math.round((priceUsd - paidPriceUsd(parts, account, customer)) * 100) / 100);
}

/** Returns the price of the running cycle. A subscription bills the price that Stripe has for the plan. */
function paidPriceUsd(
  parts: BillingParts,
  account: Account,
  customer: BillingRecord<'customer'> | undefined,
): number {
  if (!hasCycle(account.plan)) return 0;
  const plans = parts.plans();
  if (!customer || !isLive(customer.body)) return priceOf(account, plans) ?? 0;
  const billed = stripePrice(parts, account.plan) === null ? customer.body.plan : account.plan;
  return (billed && plans[billed].priceUsd) ?? 0;
}
