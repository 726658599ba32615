import type { PlanFigures } from '../../settings/plans/plan.ts';
import type { Plans } from '../../settings/plans/plans.ts';
import type { Account } from './account.ts';

/**
 * The figures that hold for an account: its plan's, and over them its own. For an account as `rollCycle`
 * gave it.
 */
export function accountFigures(account: Account, plans: Plans): PlanFigures {
  const plan = plans[account.plan];
  return account.planOverrides === null ? plan : { ...plan, ...account.planOverrides };
}

/** What a month costs: the price kept from before, else the agreed one, else the plan's. */
export const priceOf = (account: Account, plans: Plans): number | null =>
  account.priceUsdPerMonth ?? accountFigures(account, plans).priceUsd;
