import { Type } from '../../base/schema/type.ts';
import type { BudgetActor } from '../../customers/budgets/budget-audit.ts';
import { budgetScopes } from '../../money/budgets/budget.ts';
import { accepted } from '../routes/accepted.ts';
import { closed } from '../routes/closed.ts';
import { filterField } from '../routes/filter-field.ts';
import { listOf } from '../routes/list.ts';
import { pageFields } from '../routes/page-fields.ts';
import { adminRouteWith } from './admin-route.ts';
import {
  budgetChange,
  budgetFields,
  raiseBody,
  wantedBudget,
  wantedChange,
  wantedRaise,
} from './budget-bodies.ts';
import { findBudget, listBudgets, removeAndShow, showBudget } from './budget-calls.ts';
import { listSpending, spend } from './budget-spending.ts';
import { budget } from './budget-view.ts';

const route = adminRouteWith<'accounts' | 'budgets' | 'people'>();

const group = 'Admin: budgets';
const ALL = '/admin/v1/budgets';
const ONE = `${ALL}/{id}` as const;

/** Returns the operator as the one who changes a budget. */
const operatorActor = (name: string): BudgetActor => ({ name, owner: 'operator' });

/** The routes for the budgets of all accounts. */
export const budgetRoutes = [
  route(
    {
      method: 'POST',
      path: ALL,
      group,
      summary: 'Creates a budget, which counts what was spent in its window before',
      body: Type.Object({ account_id: Type.String({ minLength: 1 }), ...budgetFields }, closed),
      bodyExample: { account_id: 'acct_…', scope: 'end_user', window: 'day', limit_usd: 2 },
      status: 201,
      answer: budget,
      returns: 'The budget.',
      errors: ['not_found', 'account_closed', 'limit_reached'],
    },
    async ({ body: { account_id, ...body }, actor }, { budgets }) =>
      showBudget(budgets, await budgets.create(account_id, wantedBudget(body), operatorActor(actor))),
  ),
  route(
    {
      method: 'GET',
      path: ALL,
      group,
      summary: 'Lists budgets, and after them the monthly caps of keys',
      query: Type.Object({
        account: filterField('Only budgets of this account.'),
        scope: Type.Optional(Type.Enum(budgetScopes, { description: 'Only budgets of this scope.' })),
        target: filterField('Only budgets of this target.'),
        ...pageFields,
      }),
      answer: listOf(budget),
      returns: 'A page of budgets, with what counts against each now.',
    },
    ({ query: { account, scope, target, ...page } }, { budgets }) =>
      listBudgets(budgets, { accountId: account, scope, target }, page),
  ),
  route(
    {
      method: 'GET',
      path: ONE,
      group,
      summary: 'Shows a budget',
      answer: budget,
      returns: 'The budget.',
      errors: ['not_found', 'conflict'],
    },
    ({ params }, { budgets }) => findBudget(budgets, params.id),
  ),
  route(
    {
      method: 'PATCH',
      path: ONE,
      group,
      summary: 'Changes a budget; with another scope, target or window its spend is counted again',
      body: budgetChange,
      bodyExample: { limit_usd: 5, revision: 1 },
      answer: budget,
      returns: 'The updated budget.',
      errors: ['not_found', 'conflict'],
    },
    async ({ params, body, actor }, { budgets }) =>
      showBudget(budgets, await budgets.change(params.id, wantedChange(body), operatorActor(actor))),
  ),
  route(
    {
      method: 'DELETE',
      path: ONE,
      group,
      summary: 'Deletes a budget',
      answer: budget,
      returns: 'The budget as it was.',
      errors: ['not_found', 'conflict'],
    },
    ({ params, actor }, { budgets }) => removeAndShow(budgets, params.id, operatorActor(actor)),
  ),
  route(
    {
      method: 'POST',
      path: `${ONE}/raise`,
      group,
      summary: 'Raises a budget until a time; a second raise replaces the first',
      body: raiseBody,
      bodyExample: { add_usd: 10, ends_at: '2030-01-01T00:00:00Z', reason: 'a launch' },
      answer: budget,
      returns: 'The budget with its raise.',
      errors: ['not_found', 'conflict'],
    },
    async ({ params, body, actor }, { budgets }) =>
      showBudget(budgets, await budgets.raise(params.id, wantedRaise(body), operatorActor(actor))),
  ),
  route(
    {
      method: 'DELETE',
      path: `${ONE}/raise`,
      group,
      summary: 'Ends the raise of a budget',
      answer: budget,
      returns: 'The budget without a raise.',
      errors: ['not_found', 'conflict'],
    },
    async ({ params, actor }, { budgets }) =>
      showBudget(budgets, await budgets.endRaise(params.id, operatorActor(actor))),
  ),
  route(
    {
      method: 'GET',
      path: `${ONE}/spend`,
      group,
      summary: 'Lists what counts against a budget now, by target, most first',
      query: Type.Object(pageFields),
      answer: listOf(spend),
      returns: 'A page of targets.',
      errors: ['not_found', 'conflict'],
    },
    async ({ params, query }, { budgets, accounts, people: { memberships } }) => {
      const found = accepted(await budgets.find(params.id));
      return listSpending({ budgets, accounts, memberships }, found, query);
    },
  ),
];
