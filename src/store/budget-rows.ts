import { type Budget, budgetKinds, budgetScopes, budgetWindows } from '../money/budgets/budget.ts';
import type { CappedKey } from '../money/budgets/budget-store.ts';
import type { CommonRow, RowValues } from './common-queries.ts';
import { nullableJson, nullableNumber, nullableText, number, oneOf, text } from './row-columns.ts';

/** Returns the columns that a change writes, with their values. `window` and `raise` are words of SQL. */
export const changeableOfBudget = (budget: Budget): RowValues => ({
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

export const rowOfBudget = (budget: Budget): RowValues => ({ id: budget.id, ...changeableOfBudget(budget) });

export const budgetOfRow = (row: CommonRow): Budget => ({
  id: text(row, 'id'),
  accountId: text(row, 'account_id'),
  name: nullableText(row, 'name'),
  scope: oneOf(row, 'scope', budgetScopes),
  target: nullableText(row, 'target'),
  window: oneOf(row, 'span', budgetWindows),
  kind: oneOf(row, 'kind', budgetKinds),
  limitMicrocredits: number(row, 'limit_microcredits'),
  warnShare: nullableNumber(row, 'warn_share'),
  raise: nullableJson(row, 'raised'),
  owner: text<Budget['owner']>(row, 'owner'),
  counter: text(row, 'counter'),
  countsFrom: number(row, 'counts_from'),
  createdAt: number(row, 'created_at'),
  revision: number(row, 'revision'),
});

export const cappedKeyOfRow = (row: CommonRow): CappedKey => ({
  id: text(row, 'id'),
  accountId: text(row, 'account_id'),
  name: nullableText(row, 'name'),
  capUsd: number(row, 'monthly_cap_usd'),
  version: number(row, 'version'),
  createdAt: number(row, 'created_at'),
});
