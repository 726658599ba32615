import type { PlanFigures } from '../../settings/plans/plan.ts';
import type { Account } from '../accounts/account.ts';
import { cycleEndsAt } from '../accounts/roll-cycle.ts';
import { limitOfCredits } from './microcredits.ts';

/** Purchased credit is one balance for an account's life. */
export const PURCHASED = 'purchased';
/** Free's credits are given once: this period never ends. */
const FREE = 'free';
/** Who only ever pays as they go has nothing by the month. */
const NONE = 'none';

/** Which of an account's balances its plan draws on now. A new month is a new balance, so that no reset can be raced. */
export type Period = {
  id: string;
  startedAt: number;
  endsAt: number | null;
  /** What the plan gives for it; null: no limit. */
  limitMicrocredits: number | null;
};

/** For an account as `rollCycle` gave it, with the figures that hold for it. */
export function periodOf(account: Account, figures: Pick<PlanFigures, 'credits'>): Period {
  const credits = account.plan === 'payg' ? 0 : figures.credits;
  return {
    id: account.plan === 'free' ? FREE : account.plan === 'payg' ? NONE : `cycle-${account.cycleStartedAt}`,
    startedAt: account.cycleStartedAt,
    endsAt: cycleEndsAt(account),
    limitMicrocredits: credits === null ? null : limitOfCredits(credits),
  };
}

export const balanceOf = (period: string): 'monthly' | 'purchased' =>
  period === PURCHASED ? PURCHASED : 'monthly';
