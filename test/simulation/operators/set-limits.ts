import type { PlanId } from '../../../src/settings/plans/plan.ts';
import type { AccountName } from '../gateway/accounts.ts';
import { MICROCREDITS_PER_USD } from '../gateway/configuration.ts';
import type { CallRecord } from '../network/call.ts';
import type { Operators } from './operators.ts';

/** Sets the cap of an account's key. */
export function setCap(
  operators: Operators,
  microcredits: number,
  account: AccountName = 'capped',
): Promise<CallRecord> {
  const path = `/admin/v1/keys/${operators.accounts[account].keyId}`;
  const body = { monthly_cap_usd: microcredits / MICROCREDITS_PER_USD };
  return operators.limit('cap', account, microcredits, { method: 'PATCH', path, body });
}

/** Sets the budget of an account. */
export function setBudget(
  operators: Operators,
  microcredits: number,
  account: AccountName = 'budgeted',
): Promise<CallRecord> {
  const path = `/admin/v1/budgets/${operators.accounts[account].budgetId}`;
  const body = { limit_usd: microcredits / MICROCREDITS_PER_USD };
  return operators.limit('budget', account, microcredits, { method: 'PATCH', path, body });
}

/** Sets the monthly credits that the plan gives. */
export function setCredits(operators: Operators, microcredits: number): Promise<CallRecord> {
  const path = `/admin/v1/accounts/${operators.accounts.monthly.id}`;
  const body = { plan_overrides: { credits: microcredits / 1_000_000 } };
  return operators.limit('credits', 'monthly', microcredits, { method: 'PATCH', path, body });
}

/** Changes the plan of the account with monthly credits. The plan that holds afterwards has `credits`. */
export function setPlan(operators: Operators, plan: PlanId, credits: number): Promise<CallRecord> {
  const path = `/admin/v1/accounts/${operators.accounts.monthly.id}`;
  const asking = { method: 'PATCH', path, body: { plan } };
  return operators.limit('credits', 'monthly', credits * 1_000_000, asking);
}
