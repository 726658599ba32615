import type { PlanId } from '../../settings/plans/plan.ts';
import type { Plans } from '../../settings/plans/plans.ts';
import type { Account } from './account.ts';
import { hasCycle } from './roll-cycle.ts';

export type PlanChange = { plan: PlanId; plans: Plans; now: number };

/**
 * Puts an account (as `rollCycle` gave it) on another plan: up at once, down at the renewal, and back
 * without a trace.
 */
export function changePlan(account: Account, { plan, plans, now }: PlanChange): Account {
  if (plan === account.plan) return { ...account, pendingPlan: null };
  // Without a cycle there is no renewal to wait for.
  const isUpgrade = plans[plan].rank > plans[account.plan].rank;
  if (!isUpgrade && hasCycle(account.plan)) return { ...account, pendingPlan: plan };
  const upgraded = { ...account, ...agreementsFor(plan, account), plan, pendingPlan: null };
  // The cycle's dates stay on the way up, so that credits are not given twice; from Free or pay-as-you-
  // go one begins.
  if (hasCycle(account.plan) || !hasCycle(plan)) return upgraded;
  return { ...upgraded, cycleStartedAt: now, cycleDay: new Date(now).getUTCDate() };
}

/**
 * Price and figures that were agreed for another plan end with it; for Enterprise they may be set
 * beforehand.
 */
function agreementsFor(plan: PlanId, account: Account): Pick<Account, 'priceUsdPerMonth' | 'planOverrides'> {
  if (plan !== 'enterprise') return { priceUsdPerMonth: null, planOverrides: null };
  return { priceUsdPerMonth: account.priceUsdPerMonth, planOverrides: account.planOverrides };
}
