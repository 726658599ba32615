import type { AdminAnswer, AdminItem } from '../../../src/console/admin/admin-calls.ts';

export type BudgetRow = AdminAnswer<'GET /budgets/{id}'>;
export type SpendRow = AdminItem<'GET /budgets/{id}/spend'>;
export type BudgetList = { data: BudgetRow[]; has_more: boolean };

export const scopeLabels: Readonly<Record<BudgetRow['scope'], string>> = {
  organization: 'The whole organization',
  key: 'API key',
  member: 'Member',
  end_user: 'End user',
  tag: 'Tag',
};

export const windowLabels: Readonly<Record<BudgetRow['window'], string>> = {
  hour: 'Hour',
  '5h': '5 hours',
  day: 'Day',
  week: 'Week',
  month: 'Month',
};

/** Describes the limit of the budget in words. */
export function targetOf({ scope, target }: BudgetRow): string {
  const label = scopeLabels[scope];
  if (scope === 'organization') return label;
  return target === null ? `Each ${scope === 'key' ? label : label.toLowerCase()}` : `${label} ${target}`;
}

/** Returns the window in words, for example `week` or `last 5 hours`. */
export function windowOf({ window, kind }: BudgetRow): string {
  const words = windowLabels[window].toLowerCase();
  if (kind === 'calendar') return words;
  return window === 'month' ? 'last 30 days' : `last ${words}`;
}
