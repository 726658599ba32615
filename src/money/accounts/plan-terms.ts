import type { Plan, Plans } from '../../settings/plans/plan.ts';
import type { Account } from './account.ts';

/**
 * Returns the plan of an account (from `rollCycle`).
 * The figures that were agreed for the account replace the plan's figures.
 */
export function accountFigures(account: Account, plans: Plans): Plan {
  const plan = plans[account.plan];
  return account.planOverrides === null ? plan : { ...plan, ...account.planOverrides };
}

/** Returns the price of a month: the kept price if there is one, else the agreed price, else the plan's. */
export const priceOf = (account: Account, plans: Plans): number | null =>
  account.priceUsdPerMonth ?? accountFigures(account, plans).priceUsd;
