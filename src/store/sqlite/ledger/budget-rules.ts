import type { Budget } from '../../../money/budgets/budget.ts';
import { budgetOfRow } from '../../budget-rows.ts';
import type { SqliteConnection } from '../connection.ts';

const NONE: readonly Budget[] = [];

/** The budgets of all accounts, in memory. A list of an account is replaced by every change, so that readers can notice it. */
export class BudgetRules {
  readonly #byAccount = new Map<string, readonly Budget[]>();

  constructor(connection: SqliteConnection) {
    const rows = connection.all('SELECT * FROM budget ORDER BY sequence');
    for (const budget of rows.map(budgetOfRow))
      this.set(budget.accountId, [...this.of(budget.accountId), budget]);
  }

  of(accountId: string): readonly Budget[] {
    return this.#byAccount.get(accountId) ?? NONE;
  }

  set(accountId: string, budgets: readonly Budget[]): void {
    if (budgets.length > 0) this.#byAccount.set(accountId, budgets);
    else this.#byAccount.delete(accountId);
  }

  get all(): Budget[] {
    return [...this.#byAccount.values()].flat();
  }
}
