import { DAY_MS } from '../../base/lib/units.ts';
import type { PlanId } from '../../settings/plans/plan.ts';
import type { Account } from './account.ts';
import { monthsBetween, monthsLater } from './month-dates.ts';

/** Plans without a monthly cycle. Free gives its credits once; pay-as-you-go gives none. */
const withoutCycle: ReadonlySet<PlanId> = new Set(['free', 'payg']);

/** Reports whether a plan renews its credits every month. */
export const hasCycle = (plan: PlanId): boolean => !withoutCycle.has(plan);

/**
 * Returns the start of the next cycle, or null on a plan without cycles.
 * The account must be as `rollCycle` returns it.
 */
export function cycleEndsAt(account: Account): number | null {
  return hasCycle(account.plan) ? monthsLater(account.cycleStartedAt, 1, account.cycleDay) : null;
}

/** The number of parts in which an unpaid cycle grants its credits. The 31st day adds nothing. */
export const DAYS_OF_CYCLE = 30;

/**
 * Returns the account at `now`: with the cycle that contains `now`, with a pending plan applied if a renewal
 * has passed, and with the days that an unpaid cycle has granted.
 */
export function rollCycle(account: Account, now: number): Account {
  const rolled = rolledTo(account, now);
  const { unpaidFrom, cycleStartedAt, daysGranted } = rolled;
  if (unpaidFrom === null || !hasCycle(rolled.plan) || cycleStartedAt < unpaidFrom) {
    if (daysGranted === undefined) return rolled;
    const { daysGranted: _, ...whole } = rolled;
    return whole;
  }
  const days = Math.floor(Math.max(0, now - cycleStartedAt) / DAY_MS) + 1;
  return { ...rolled, daysGranted: Math.min(DAYS_OF_CYCLE, days) };
}

/** Returns the start of a day of a cycle. The first day is 1. */
export const dayOfCycle = (cycleStartedAt: number, day: number): number =>
  cycleStartedAt + (day - 1) * DAY_MS;

function rolledTo(account: Account, now: number): Account {
  if (!hasCycle(account.plan)) return account;
  const { cycleStartedAt, cycleDay } = account;
  const firstRenewal = monthsLater(cycleStartedAt, 1, cycleDay);
  if (now < firstRenewal) return account;
  const renewed = account.pendingPlan === null ? account : takePendingPlan(account, account.pendingPlan);
  if (!hasCycle(renewed.plan)) return { ...renewed, cycleStartedAt: firstRenewal };
  const months = monthsBetween(cycleStartedAt, now, cycleDay);
  return { ...renewed, cycleStartedAt: monthsLater(cycleStartedAt, months, cycleDay) };
}

/** Applies the pending plan. Prices and figures agreed for the old plan end with it. */
export const takePendingPlan = (account: Account, plan: PlanId): Account => ({
  ...account,
  plan,
  pendingPlan: null,
  priceUsdPerMonth: null,
  planOverrides: null,
});
