import type { Account } from '../money/accounts/account.ts';
import type { CommonRow, RowValues } from './common-queries.ts';

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
  id: row.id as string,
  name: row.name as string,
  email: row.email as string | null,
  emailVerified: Boolean(row.email_verified),
  plan: row.plan as Account['plan'],
  pendingPlan: row.pending_plan as Account['pendingPlan'],
  status: row.status as Account['status'],
  priceUsdPerMonth: row.price_usd_per_month as number | null,
  planOverrides: row.plan_overrides === null ? null : JSON.parse(row.plan_overrides as string),
  unpaidFrom: row.unpaid_from as number | null,
  ...(Boolean(row.hosted_tools_stopped) && { hostedToolsStopped: true }),
  ...(Number(row.budgets) > 0 && { hasBudgets: true }),
  cycleStartedAt: row.cycle_started_at as number,
  cycleDay: row.cycle_day as number,
  createdAt: row.created_at as number,
  version: row.version as number,
});
