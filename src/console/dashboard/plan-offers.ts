import { isoTimeOrNull } from '../../base/lib/iso-time.ts';
import type { BillingParts } from '../../customers/billing/billing-parts.ts';
import type { BillingRecord } from '../../customers/billing/billing-record.ts';
import { isLive } from '../../customers/billing/subscription-standing.ts';
import { upgradePriceUsd } from '../../customers/billing/upgrade-price.ts';
import type { Account } from '../../money/accounts/account.ts';
import { cycleEndsAt, hasCycle } from '../../money/accounts/roll-cycle.ts';
import type { Plan, PlanId } from '../../settings/plans/plan.ts';
import type { BillingPlanRow, BillingView } from './billing-schema.ts';

type Customer = BillingRecord<'customer'> | undefined;

/**
 * Returns the more expensive plans that can be paid for, with the sum that is charged now. A change at the
 * renewal charges nothing now.
 */
export function upgradesOf(
  parts: BillingParts,
  account: Account,
  customer: Customer,
): BillingView['upgrades'] {
  const plans = parts.plans();
  return Object.values(plans)
    .filter((plan) => plan.id !== 'free' && plan.rank > plans[account.plan].rank)
    .filter((plan) => isPaidFor(changeTo(parts, account, plan, customer)))
    .map(({ id }) => ({
      plan: id,
      charge_now_usd: upgradePriceUsd(parts, { account, plan: id, customer }),
      renews_at: isoTimeOrNull(cycleEndsAt(account)),
    }))
    .sort((first, second) => first.charge_now_usd - second.charge_now_usd);
}

const isPaidFor = (change: BillingPlanRow['change']): boolean => change === 'now' || change === 'checkout';

/** Returns the plans that every account can choose, and the account's own. */
export function offeredPlans(parts: BillingParts, account: Account, customer: Customer): BillingPlanRow[] {
  return Object.values(parts.plans())
    .sort((first, second) => first.rank - second.rank)
    .filter(({ id, buyable }) => buyable || id === account.plan)
    .map((plan) => ({
      id: plan.id,
      name: plan.displayName,
      price_usd_per_month: plan.priceUsd,
      credits: plan.id === 'payg' ? 0 : plan.credits,
      requests_per_min: plan.requestsPerMinute,
      concurrent: plan.concurrent,
      tokens_per_min: plan.tokensPerMinute,
      is_current: plan.id === account.plan,
      change: changeTo(parts, account, plan, customer),
    }));
}

/** Returns when a plan can begin, or null if the account cannot choose it. */
function changeTo(
  parts: BillingParts,
  account: Account,
  plan: Plan,
  customer: Customer,
): BillingPlanRow['change'] {
  if (plan.id === account.plan || !plan.buyable) return null;
  // Operators agree on Enterprise, and decide about a suspended account.
  if (account.plan === 'enterprise' || account.status !== 'active') return null;
  // The paid cycle is used until the renewal.
  if (plan.rank < parts.plans()[account.plan].rank) return hasCycle(account.plan) ? 'renewal' : 'now';
  if (plan.id === 'free') return 'now';
  const prices: Partial<Record<PlanId, string | null>> = parts.config().billing.stripe?.prices ?? {};
  if (prices[plan.id] == null) return null;
  // A subscription pays for the new plan too.
  return customer && isLive(customer.body) ? 'now' : 'checkout';
}
