import { definedOf } from '../../base/lib/records.ts';
import type { AdminItem } from '../../console/admin/admin-calls.ts';
import { budgetKinds, budgetScopes, budgetWindows } from '../../money/budgets/budget.ts';
import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import { UsageError } from './command-failure.ts';
import { confirm } from './confirm.ts';
import { findAccount, findAccountNamed } from './find-account.ts';
import type { Column } from './format-table.ts';
import type { Invocation } from './invocation.ts';
import { pageOf } from './page-options.ts';
import { field, printFields, printList } from './print-answer.ts';

const columns: readonly Column<AdminItem<'GET /budgets'>>[] = [
  field('id'),
  field('account_id', 'account'),
  field('name'),
  field('scope'),
  { title: 'target', cell: ({ scope, target }) => target ?? (scope === 'organization' ? null : 'each') },
  { title: 'window', cell: ({ window, kind }) => (kind === 'sliding' ? `${window} sliding` : window) },
  field('effective_limit_usd', 'limit usd'),
  field('spent_usd', 'spent usd'),
  field('held_usd', 'held usd'),
  field('resets_at', 'resets'),
];

const spendColumns: readonly Column<AdminItem<'GET /budgets/{id}/spend'>>[] = [
  field('target'),
  field('target_name', 'name'),
  field('spent_usd', 'spent usd'),
  field('held_usd', 'held usd'),
  field('requests'),
  field('resets_at', 'resets'),
];

const idOf = (invocation: Invocation): { id: string } => ({ id: invocation.required('BUDGET') });

/** Returns the fields that the options set. A share of 0 means that there is no warning. */
function fieldsOf(invocation: Invocation) {
  const share = invocation.number('warn-share');
  return definedOf({ name: invocation.text('name'), warn_share: share === 0 ? null : share });
}

export const createBudget: Run = async (invocation) => {
  const limit = invocation.number('limit');
  if (limit === undefined) throw new UsageError('--limit is required');
  const chosen = definedOf({
    target: invocation.text('target'),
    kind: invocation.choice('kind', budgetKinds),
  });
  const body = {
    account_id: await findAccount(invocation),
    scope: invocation.choice('scope', budgetScopes) ?? 'organization',
    window: invocation.choice('window', budgetWindows) ?? 'month',
    limit_usd: limit,
    ...chosen,
    ...fieldsOf(invocation),
  };
  printFields(invocation, await callAdmin(invocation, 'POST /budgets', { body }));
  return 0;
};

export const listBudgets: Run = async (invocation) => {
  const account = invocation.text('account');
  const query = {
    account: account === undefined ? undefined : await findAccountNamed(invocation, account),
    scope: invocation.choice('scope', budgetScopes),
    target: invocation.text('target'),
    ...pageOf(invocation),
  };
  const answer = await callAdmin(invocation, 'GET /budgets', { query });
  await printList(invocation, answer, { key: 'GET /budgets', columns });
  return 0;
};

export const showBudget: Run = async (invocation) => {
  const params = idOf(invocation);
  if (invocation.flag('targets')) {
    const query = pageOf(invocation);
    const answer = await callAdmin(invocation, 'GET /budgets/{id}/spend', { params, query });
    await printList(invocation, answer, { key: 'GET /budgets/{id}/spend', columns: spendColumns });
    return 0;
  }
  printFields(invocation, await callAdmin(invocation, 'GET /budgets/{id}', { params }));
  return 0;
};

export const setBudget: Run = async (invocation) => {
  const changed = definedOf({
    limit_usd: invocation.number('limit'),
    revision: invocation.number('revision'),
  });
  const body = { ...fieldsOf(invocation), ...changed };
  const call = { params: idOf(invocation), body };
  printFields(invocation, await callAdmin(invocation, 'PATCH /budgets/{id}', call));
  return 0;
};

export const raiseBudget: Run = async (invocation) => {
  const params = idOf(invocation);
  if (invocation.flag('end')) {
    printFields(invocation, await callAdmin(invocation, 'DELETE /budgets/{id}/raise', { params }));
    return 0;
  }
  const add = invocation.number('add');
  const until = invocation.text('until');
  if (add === undefined || until === undefined)
    throw new UsageError('--add and --until are required, or --end');
  const body = { add_usd: add, ends_at: until, ...definedOf({ reason: invocation.text('reason') }) };
  printFields(invocation, await callAdmin(invocation, 'POST /budgets/{id}/raise', { params, body }));
  return 0;
};

export const removeBudget: Run = async (invocation) => {
  const params = idOf(invocation);
  await confirm(invocation, `Delete the budget ${params.id}?`);
  printFields(invocation, await callAdmin(invocation, 'DELETE /budgets/{id}', { params }));
  return 0;
};
