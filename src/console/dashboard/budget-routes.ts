import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import type { BudgetActor } from '../../customers/budgets/budget-service.ts';
import type { Budget } from '../../money/budgets/budget.ts';
import {
  budgetChange,
  budgetFields,
  raiseBody,
  wantedBudget,
  wantedChange,
  wantedRaise,
} from '../admin/budget-bodies.ts';
import { findBudget, listBudgets, showBudget } from '../admin/budget-calls.ts';
import { listSpending, spend } from '../admin/budget-spending.ts';
import { budget } from '../admin/budget-view.ts';
import { accepted } from '../routes/accepted.ts';
import { closed } from '../routes/closed.ts';
import { listOf } from '../routes/list.ts';
import { limitField } from '../routes/page-fields.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { dashboardRoute } from './dashboard-route.ts';

const ALL = '/dashboard/v1/organizations/{account}/budgets';
const ONE = `${ALL}/{budget}`;

const pageQuery = Type.Object({
  after: Type.Optional(Type.String({ maxLength: 300 })),
  limit: limitField(100),
});

/** Returns the visitor as the one who changes a budget. */
const actorOf = ({ visitor }: { visitor: { email: string } }): BudgetActor => ({
  name: visitor.email,
  owner: 'organization',
});

type Call = { accountId: string; params: { budget: string } };

/** Finds a stored budget among those of the organization. */
async function findOrganizationBudget(
  { budgets }: DashboardParts,
  { accountId, params }: Call,
): Promise<Budget> {
  const found = accepted(await budgets.find(params.budget));
  return accepted(found.accountId === accountId ? found : noBudget());
}

const noBudget = (): Refusal =>
  new Refusal('not_found', { message: 'The organization has no budget with this id.' });

/** The budgets of an organization. */
export const budgetRoutes = [
  dashboardRoute(
    { method: 'GET', path: ALL, access: 'viewer', query: pageQuery, answer: listOf(budget) },
    ({ accountId, query }, { budgets }) => listBudgets(budgets, { accountId }, query),
  ),
  dashboardRoute(
    { method: 'GET', path: ONE, access: 'viewer', answer: budget },
    async ({ accountId, params }, { budgets }) => {
      const found = await findBudget(budgets, params.budget);
      return found.account_id === accountId ? found : noBudget();
    },
  ),
  dashboardRoute(
    { method: 'GET', path: `${ONE}/spend`, access: 'viewer', query: pageQuery, answer: listOf(spend) },
    async (call, parts) => listSpending(parts, await findOrganizationBudget(parts, call), call.query),
  ),
  dashboardRoute(
    {
      method: 'POST',
      path: ALL,
      access: 'owner',
      body: Type.Object(budgetFields, closed),
      status: 201,
      answer: budget,
    },
    async (call, { budgets }) =>
      showBudget(budgets, await budgets.create(call.accountId, wantedBudget(call.body), actorOf(call))),
  ),
  dashboardRoute(
    { method: 'PATCH', path: ONE, access: 'owner', body: budgetChange, answer: budget },
    async (call, parts) => {
      const { id } = await findOrganizationBudget(parts, call);
      return showBudget(
        parts.budgets,
        await parts.budgets.change(id, wantedChange(call.body), actorOf(call)),
      );
    },
  ),
  dashboardRoute({ method: 'DELETE', path: ONE, access: 'owner', answer: budget }, async (call, parts) => {
    const { id } = await findOrganizationBudget(parts, call);
    const before = await findBudget(parts.budgets, id);
    accepted(await parts.budgets.remove(id, actorOf(call)));
    return before;
  }),
  dashboardRoute(
    { method: 'POST', path: `${ONE}/raise`, access: 'owner', body: raiseBody, answer: budget },
    async (call, parts) => {
      const { id } = await findOrganizationBudget(parts, call);
      return showBudget(parts.budgets, await parts.budgets.raise(id, wantedRaise(call.body), actorOf(call)));
    },
  ),
  dashboardRoute(
    { method: 'DELETE', path: `${ONE}/raise`, access: 'owner', answer: budget },
    async (call, parts) => {
      const { id } = await findOrganizationBudget(parts, call);
      return showBudget(parts.budgets, await parts.budgets.endRaise(id, actorOf(call)));
    },
  ),
];
