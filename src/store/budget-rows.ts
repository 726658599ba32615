import type { Budget } from '../money/budgets/budget.ts';
import type { CappedKey } from '../money/budgets/budget-store.ts';
import type { CommonRow, RowValues } from './common-queries.ts';

/** Returns the columns of a budget. `window` and `raise` are words of SQL. */
export const rowOfBudget = (budget: Budget): RowValues => ({
  id: budget.id,
  account_id: budget.accountId,
  name: budget.name,
  scope: budget.scope,
  target: budget.target,
  span: budget.window,
  kind: budget.kind,
  limit_microcredits: budget.limitMicrocredits,
  warn_share: budget.warnShare,
  raised: budget.raise && JSON.stringify(budget.raise),
  owner: budget.owner,
  counter: budget.counter,
  counts_from: budget.countsFrom,
  created_at: budget.createdAt,
  revision: budget.revision,
});

export const budgetOfRow = (row: CommonRow): Budget => ({
  id: row.id as string,
  accountId: row.account_id as string,
  name: row.name as string | null,
  scope: row.scope as Budget['scope'],
  target: row.target as string | null,
  window: row.span as Budget['window'],
  kind: row.kind as Budget['kind'],
  limitMicrocredits: Number(row.limit_microcredits),
  warnShare: row.warn_share === null ? null : Number(row.warn_share),
  raise: row.raised === null ? null : JSON.parse(row.raised as string),
  owner: row.owner as Budget['owner'],
  counter: row.counter as string,
  countsFrom: Number(row.counts_from),
  createdAt: Number(row.created_at),
  revision: Number(row.revision),
});

export const cappedKeyOfRow = (row: CommonRow): CappedKey => ({
  id: row.id as string,
  accountId: row.account_id as string,
  name: row.name as string | null,
  capUsd: Number(row.monthly_cap_usd),
  version: Number(row.version),
  createdAt: Number(row.created_at),
});
