import type { Budget } from '../../../money/budgets/budget.ts';
import { budgetOfRow } from '../../budget-rows.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';

const NONE: readonly Budget[] = [];

/**
 * The budgets of all accounts, in memory.
 * A list of an account is replaced by every change, so that readers can notice it.
 */
export class BudgetRules {
  readonly #connection: SqliteConnection;
  #loaded: Map<string, readonly Budget[]> | undefined;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
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

  get #byAccount(): Map<string, readonly Budget[]> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  #load(): Map<string, readonly Budget[]> {
    const budgets = this.#connection.all('SELECT * FROM budget ORDER BY sequence').map(budgetOfRow);
    return Map.groupBy(budgets, ({ accountId }) => accountId);
  }
}
