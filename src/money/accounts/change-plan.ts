import type { PlanId, Plans } from '../../settings/plans/plan.ts';
import type { Account } from './account.ts';
import { cycleFrom } from './cycle-from.ts';
import { hasCycle, takePendingPlan } from './roll-cycle.ts';

type PlanChange = { plan: PlanId; plans: Plans; now: number };

/**
 * Changes the plan of an account, which must be as `rollCycle` returns it for the same time. Upgrades apply
 * now, and downgrades at the renewal. The choice of the current plan cancels a pending one.
 */
export function changePlan(account: Account, { plan, plans, now }: PlanChange): Account {
  if (plan === account.plan) return { ...account, pendingPlan: null };
  // A plan without cycles has no renewal to wait for.
  const isUpgrade = plans[plan].rank > plans[account.plan].rank;
  if (!isUpgrade && hasCycle(account.plan)) return { ...account, pendingPlan: plan };
  const upgraded = { ...account, ...agreementsFor(plan, account), plan, pendingPlan: null };
  // An upgrade keeps the dates of the cycle, so that credits are not given twice.
  // From Free or pay-as-you-go, a new cycle starts.
  if (hasCycle(account.plan) || !hasCycle(plan)) return upgraded;
  return { ...upgraded, ...cycleFrom(now) };
}

/** Applies a plan that has been paid for, without waiting for the renewal. */
export function payPlan(account: Account, change: PlanChange): Account {
  const changed = changePlan(account, change);
  return changed.plan === change.plan ? changed : takePendingPlan(account, change.plan);
}

/**
 * Prices and figures agreed for another plan end with that plan.
 * For Enterprise they can be set before the change.
 */
function agreementsFor(plan: PlanId, account: Account): Pick<Account, 'priceUsdPerMonth' | 'planOverrides'> {
  if (plan !== 'enterprise') return { priceUsdPerMonth: null, planOverrides: null };
  return { priceUsdPerMonth: account.priceUsdPerMonth, planOverrides: account.planOverrides };
}
