import type { PlanFigures } from '../../settings/plans/plan.ts';
import type { Account } from '../accounts/account.ts';
import { cycleEndsAt, DAYS_OF_CYCLE, dayOfCycle } from '../accounts/roll-cycle.ts';
import { limitOfCredits } from './microcredits.ts';

/** Purchased credit is one balance for the account's life. */
export const PURCHASED = 'purchased';
/** The period of Free's credits, which are given once. It never ends. */
export const FREE = 'free';
/** The period of a pay-as-you-go account, which has no monthly credits. */
export const NO_CREDITS = 'none';

/**
 * The balance that an account's plan draws on now.
 * Each month is a new balance, so a reset cannot race with a charge.
 */
export type Period = {
  id: string;
  startedAt: number;
  endsAt: number | null;
  /** The credits that the plan gives for the period. `null` means no limit. */
  limitMicrocredits: number | null;
  /**
   * The daily grants of a cycle that is not paid: its whole credits, and the time of the next grant.
   * `null` means that everything is granted.
   */
  daily?: { wholeMicrocredits: number; from: number; nextAt: number | null };
};

/** Returns the period of an account (from `rollCycle`) with its figures. */
export function periodOf(account: Account, figures: Pick<PlanFigures, 'credits'>): Period {
  const credits = account.plan === 'payg' ? 0 : figures.credits;
  const whole = credits === null ? null : limitOfCredits(credits);
  const { daysGranted: days } = account;
  return {
    id: idOf(account),
    startedAt: account.cycleStartedAt,
    endsAt: cycleEndsAt(account),
    limitMicrocredits: whole,
    ...(days !== undefined && whole !== null && dailyPart(account, days, whole)),
  };
}

function idOf({ plan, cycleStartedAt }: Account): string {
  if (plan === 'free') return FREE;
  return plan === 'payg' ? NO_CREDITS : `cycle-${cycleStartedAt}`;
}

function dailyPart(
  { cycleStartedAt }: Account,
  days: number,
  wholeMicrocredits: number,
): Pick<Period, 'limitMicrocredits' | 'daily'> {
  const isAll = days >= DAYS_OF_CYCLE;
  return {
    limitMicrocredits: isAll ? wholeMicrocredits : Math.floor((wholeMicrocredits / DAYS_OF_CYCLE) * days),
    daily: {
      wholeMicrocredits,
      from: dayOfCycle(cycleStartedAt, days),
      nextAt: isAll ? null : dayOfCycle(cycleStartedAt, days + 1),
    },
  };
}

/** Returns the time at which there are new credits, or null if there are none. */
export const resetsAt = ({ endsAt, daily }: Period): number | null => daily?.nextAt ?? endsAt;

/** Returns the kind of balance that an entry's period belongs to. */
export const balanceOf = (period: string): 'monthly' | 'purchased' =>
  period === PURCHASED ? PURCHASED : 'monthly';
