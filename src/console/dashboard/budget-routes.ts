import { Type } from '../../base/schema/type.ts';
import { budgetChange, budgetFields, raiseBody } from '../admin/budget-bodies.ts';
import { spend } from '../admin/budget-spending.ts';
import { budget } from '../admin/budget-view.ts';
import { closed } from '../routes/closed.ts';
import { listOf } from '../routes/list.ts';
import { budgetPageQuery } from './budget-page-query.ts';
import { dashboardRoute } from './dashboard-route.ts';
import {
  changeBudget,
  createBudget,
  endBudgetRaise,
  listOrganizationBudgets,
  listOrganizationSpending,
  raiseBudget,
  removeBudget,
  showOrganizationBudget,
} from './organization-budgets.ts';

const ALL = '/dashboard/v1/organizations/{account}/budgets';
const ONE = `${ALL}/{budget}` as const;

/** The budgets of an organization. */
export const budgetRoutes = [
  dashboardRoute(
    { method: 'GET', path: ALL, access: 'viewer', query: budgetPageQuery, answer: listOf(budget) },
    listOrganizationBudgets,
  ),
  dashboardRoute({ method: 'GET', path: ONE, access: 'viewer', answer: budget }, showOrganizationBudget),
  dashboardRoute(
    { method: 'GET', path: `${ONE}/spend`, access: 'viewer', query: budgetPageQuery, answer: listOf(spend) },
    listOrganizationSpending,
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
    createBudget,
  ),
  dashboardRoute(
    { method: 'PATCH', path: ONE, access: 'owner', body: budgetChange, answer: budget },
    changeBudget,
  ),
  dashboardRoute({ method: 'DELETE', path: ONE, access: 'owner', answer: budget }, removeBudget),
  dashboardRoute(
    { method: 'POST', path: `${ONE}/raise`, access: 'owner', body: raiseBody, answer: budget },
    raiseBudget,
  ),
  dashboardRoute({ method: 'DELETE', path: `${ONE}/raise`, access: 'owner', answer: budget }, endBudgetRaise),
];
