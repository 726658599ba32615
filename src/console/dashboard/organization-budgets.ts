import { Refusal } from '../../base/errors/refusal.ts';
import type { BudgetActor } from '../../customers/budgets/budget-audit.ts';
import type { Visitor } from '../../customers/people/visitor.ts';
import type { Budget } from '../../money/budgets/budget.ts';
import {
  type budgetChange,
  type NewBudget,
  type raiseBody,
  wantedBudget,
  wantedChange,
  wantedRaise,
} from '../admin/budget-bodies.ts';
import { findBudget, listBudgets, removeAndShow, showBudget } from '../admin/budget-calls.ts';
import { listSpending } from '../admin/budget-spending.ts';
import type { BudgetView } from '../admin/budget-view.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithBody, WithParams, WithQuery } from '../routes/typed-route.ts';
import type { budgetPageQuery } from './budget-page-query.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';

type BudgetCall<Input = unknown> = OrganizationCall<WithParams<'budget'> & Input>;
type PageQuery = WithQuery<typeof budgetPageQuery>;

/** Lists the budgets of the organization and the caps of its keys. */
export const listOrganizationBudgets = (
  { accountId, query }: OrganizationCall<PageQuery>,
  { budgets }: DashboardParts,
) => listBudgets(budgets, { accountId }, query);

/** Shows a budget of the organization, or the cap of a key as a budget. */
export async function showOrganizationBudget(
  { accountId, params }: BudgetCall,
  { budgets }: DashboardParts,
): Promise<BudgetView> {
  const view = await findBudget(budgets, params.budget);
  if (view.account_id !== accountId) throw noBudget();
  return view;
}

/** Lists what counts against a budget of the organization. */
export const listOrganizationSpending = async (call: BudgetCall<PageQuery>, parts: DashboardParts) =>
  listSpending(parts, await findStored(call, parts), call.query);

export const createBudget = async (
  { accountId, body, visitor }: OrganizationCall<{ body: NewBudget }>,
  { budgets }: DashboardParts,
): Promise<BudgetView> =>
  showBudget(budgets, await budgets.create(accountId, wantedBudget(body), actorOf(visitor)));

export const changeBudget = (
  call: BudgetCall<WithBody<typeof budgetChange>>,
  parts: DashboardParts,
): Promise<BudgetView> =>
  showChanged(call, parts, (id, actor) => parts.budgets.change(id, wantedChange(call.body), actor));

/** Deletes a budget of the organization, and shows it as it was. */
export async function removeBudget(call: BudgetCall, parts: DashboardParts): Promise<BudgetView> {
  const { id } = await findStored(call, parts);
  return removeAndShow(parts.budgets, id, actorOf(call.visitor));
}

/** Raises a budget of the organization until a time. */
export const raiseBudget = (
  call: BudgetCall<WithBody<typeof raiseBody>>,
  parts: DashboardParts,
): Promise<BudgetView> =>
  showChanged(call, parts, (id, actor) => parts.budgets.raise(id, wantedRaise(call.body), actor));

export const endBudgetRaise = (call: BudgetCall, parts: DashboardParts): Promise<BudgetView> =>
  showChanged(call, parts, (id, actor) => parts.budgets.endRaise(id, actor));

/** Finds a stored budget of the organization, changes it and shows it. */
async function showChanged(
  call: BudgetCall,
  parts: DashboardParts,
  change: (id: string, actor: BudgetActor) => Promise<Budget | Refusal>,
): Promise<BudgetView> {
  const { id } = await findStored(call, parts);
  return showBudget(parts.budgets, await change(id, actorOf(call.visitor)));
}

/** Finds a stored budget of the organization. The cap of a key is refused, since it is changed at its key. */
async function findStored({ accountId, params }: BudgetCall, { budgets }: DashboardParts): Promise<Budget> {
  const stored = accepted(await budgets.find(params.budget));
  if (stored.accountId !== accountId) throw noBudget();
  return stored;
}

const actorOf = ({ email }: Visitor): BudgetActor => ({ name: email, owner: 'organization' });

const noBudget = (): Refusal =>
  new Refusal('not_found', { message: 'The organization has no budget with this id.' });
