import type { Budget } from '../../../money/budgets/budget.ts';
import { budgetOfRow } from '../../budget-rows.ts';
import type { Queries } from '../queries.ts';

/** Selects the budgets of an account, oldest first. */
export const selectBudgets = async (queries: Queries, accountId: string): Promise<Budget[]> =>
  (await queries.all('SELECT * FROM budget WHERE account_id = $1 ORDER BY sequence', [accountId])).map(
    budgetOfRow,
  );
