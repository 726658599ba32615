import type { AdminAnswer, AdminItem } from '../../../src/console/admin/admin-calls.ts';

export type BudgetRow = AdminAnswer<'GET /budgets/{id}'>;
export type SpendRow = AdminItem<'GET /budgets/{id}/spend'>;
export type BudgetList = { data: BudgetRow[]; has_more: boolean };

export const scopes = [
  { value: 'organization', label: 'The whole organization' },
  { value: 'key', label: 'API key' },
  { value: 'member', label: 'Member' },
  { value: 'end_user', label: 'End user' },
  { value: 'tag', label: 'Tag' },
] as const;

export const windows = [
  { value: 'hour', label: 'Hour' },
  { value: '5h', label: '5 hours' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
] as const;

/** Describes the limit of the budget in words. */
export function targetOf({ scope, target }: BudgetRow): string {
  if (scope === 'organization') return 'The whole organization';
  const label = scopes.find(({ value }) => value === scope)!.label;
  return target === null ? `Each ${scope === 'key' ? label : label.toLowerCase()}` : `${label} ${target}`;
}

/** Returns the window in words, for example `week` or `last 5 hours`. */
export function windowOf({ window, kind }: BudgetRow): string {
  const words = windows.find(({ value }) => value === window)!.label.toLowerCase();
  if (kind === 'calendar') return words;
  return window === 'month' ? 'last 30 days' : `last ${words}`;
}
