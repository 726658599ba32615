import type { PlanFigures, Plans } from '../../settings/plans/plan.ts';
import type { Account } from './account.ts';

/**
 * Returns the figures of an account (from `rollCycle`): the plan's figures, replaced by the account's own
 * where it has any.
 */
export function accountFigures(account: Account, plans: Plans): PlanFigures {
  const plan = plans[account.plan];
  return account.planOverrides === null ? plan : { ...plan, ...account.planOverrides };
}

/** The price of a month: the kept price if there is one, else the agreed price, else the plan's. */
export const priceOf = (account: Account, plans: Plans): number | null =>
  account.priceUsdPerMonth ?? accountFigures(account, plans).priceUsd;
