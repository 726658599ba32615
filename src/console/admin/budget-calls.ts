import { Refusal } from '../../base/errors/refusal.ts';
import type { BudgetActor } from '../../customers/budgets/budget-audit.ts';
import type { BudgetService } from '../../customers/budgets/budget-service.ts';
import type { Budget, BudgetScope } from '../../money/budgets/budget.ts';
import { accepted } from '../routes/accepted.ts';
import { listView } from '../routes/list.ts';
import { type PageQuery, pageOf, unknownAfter } from '../routes/page-fields.ts';
import { type BudgetView, budgetView } from './budget-view.ts';

type BudgetFilter = {
  accountId?: string | undefined;
  scope?: BudgetScope | undefined;
  target?: string | undefined;
};

/** Lists budgets and the caps of keys. */
export async function listBudgets(budgets: BudgetService, filter: BudgetFilter, query: PageQuery) {
  const { limit, after } = pageOf(query);
  // The place of a deleted budget is unknown. The page would begin with the caps.
  if (after !== undefined && !(await isKnown(budgets, after))) throw unknownAfter('a budget');
  const { items, hasMore } = await budgets.list({ ...filter, limit, after });
  return listView(items.map(budgetView), hasMore);
}

const isKnown = async (budgets: BudgetService, id: string): Promise<boolean> =>
  (await budgets.findCap(id)) !== undefined || !((await budgets.find(id)) instanceof Refusal);

/** Shows a budget that was found, made or changed. */
export async function showBudget(budgets: BudgetService, result: Budget | Refusal): Promise<BudgetView> {
  return budgetView(await budgets.count(accepted(result)));
}

/** Finds a budget or a cap, and shows it. */
export async function findBudget(budgets: BudgetService, id: string): Promise<BudgetView> {
  const cap = await budgets.findCap(id);
  return cap ? budgetView(cap) : showBudget(budgets, await budgets.find(id));
}

/** Deletes a budget, and shows it as it was. */
export async function removeAndShow(
  budgets: BudgetService,
  id: string,
  actor: BudgetActor,
): Promise<BudgetView> {
  const before = await findBudget(budgets, id);
  accepted(await budgets.remove(id, actor));
  return before;
}
