import type { Account } from '../money/accounts/account.ts';
import { type PlanId, planIds } from '../settings/plans/plan.ts';
import type { CommonRow, RowValues } from './common-queries.ts';
import { flag, nullableJson, nullableNumber, nullableText, number, oneOf, text } from './row-columns.ts';

/** Returns the columns that a change writes, with their values. */
export const changeableOfAccount = (account: Account): RowValues => ({
  name: account.name,
  email: account.email,
  email_verified: account.emailVerified,
  plan: account.plan,
  pending_plan: account.pendingPlan,
  status: account.status,
  price_usd_per_month: account.priceUsdPerMonth,
  plan_overrides: account.planOverrides && JSON.stringify(account.planOverrides),
  unpaid_from: account.unpaidFrom,
  hosted_tools_stopped: account.hostedToolsStopped === true,
  cycle_started_at: account.cycleStartedAt,
  cycle_day: account.cycleDay,
});

export const rowOfAccount = (account: Account): RowValues => ({
  id: account.id,
  created_at: account.createdAt,
  version: account.version,
  ...changeableOfAccount(account),
});

export const accountOfRow = (row: CommonRow): Account => ({
  id: text(row, 'id'),
  name: text(row, 'name'),
  email: nullableText(row, 'email'),
  emailVerified: flag(row, 'email_verified'),
  plan: oneOf(row, 'plan', planIds),
  pendingPlan: nullableText<PlanId>(row, 'pending_plan'),
  status: text<Account['status']>(row, 'status'),
  priceUsdPerMonth: nullableNumber(row, 'price_usd_per_month'),
  planOverrides: nullableJson(row, 'plan_overrides'),
  unpaidFrom: nullableNumber(row, 'unpaid_from'),
  ...(flag(row, 'hosted_tools_stopped') && { hostedToolsStopped: true }),
  ...(Number(row.budgets) > 0 && { hasBudgets: true }),
  cycleStartedAt: number(row, 'cycle_started_at'),
  cycleDay: number(row, 'cycle_day'),
  createdAt: number(row, 'created_at'),
  version: number(row, 'version'),
});
