import type { PlanId } from '../../settings/plans/plan.ts';
import type { Account } from './account.ts';
import { monthsBetween, monthsLater } from './month-dates.ts';

/** Plans that nobody pays by the month: Free's credits are given once, pay-as-you-go has none. */
const withoutCycle: ReadonlySet<PlanId> = new Set(['free', 'payg']);

export const hasCycle = (plan: PlanId): boolean => !withoutCycle.has(plan);

/** When the next cycle starts; null on a plan without cycles. For an account as `rollCycle` gave it. */
export function cycleEndsAt(account: Account): number | null {
  return hasCycle(account.plan) ? monthsLater(account.cycleStartedAt, 1, account.cycleDay) : null;
}

/**
 * The account as it is at `now`: its cycle is the one that `now` lies in, however many months went by since
 * it was written, and a pending plan has acted at the first renewal after it was chosen.
 */
export function rollCycle(account: Account, now: number): Account {
  if (!hasCycle(account.plan)) return account;
  const { cycleStartedAt, cycleDay } = account;
  const firstRenewal = monthsLater(cycleStartedAt, 1, cycleDay);
  if (now < firstRenewal) return account;
  const renewed = account.pendingPlan === null ? account : takePendingPlan(account, account.pendingPlan);
  if (!hasCycle(renewed.plan)) return { ...renewed, cycleStartedAt: firstRenewal };
  const months = monthsBetween(cycleStartedAt, now, cycleDay);
  return { ...renewed, cycleStartedAt: monthsLater(cycleStartedAt, months, cycleDay) };
}

/** What was agreed for one plan (an old price, own figures) does not go over to the next. */
export const takePendingPlan = (account: Account, plan: PlanId): Account => ({
  ...account,
  plan,
  pendingPlan: null,
  priceUsdPerMonth: null,
  planOverrides: null,
});
