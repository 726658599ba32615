import type { Budget } from '../../../money/budgets/budget.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { StoreChange } from '../store-change.ts';
import type { BudgetRules } from './budget-rules.ts';

type BudgetsWriteParts = {
  /** Changes the rows. Returns the budgets of the account after the change, or undefined if it is refused. */
  write: (connection: SqliteConnection) => readonly Budget[] | undefined;
  /** Reverts what else `write` has changed in memory. */
  undo?: () => void;
};

/** Holders of the account notice its new version. */
const countBudgetsSql = `
  UPDATE account SET budgets = $count, version = version + 1 WHERE id = $accountId AND budgets <> $count`;

/** A change of the budgets of an account, in one transaction. The rules in memory change with the rows. */
export class BudgetsWrite implements StoreChange {
  readonly #rules: BudgetRules;
  readonly #accountId: string;
  readonly #parts: BudgetsWriteParts;
  #before: readonly Budget[] | undefined;
  /** False if the change was refused. */
  isDone = false;

  constructor(rules: BudgetRules, accountId: string, parts: BudgetsWriteParts) {
    this.#rules = rules;
    this.#accountId = accountId;
    this.#parts = parts;
  }

  run(connection: SqliteConnection): void {
    this.#before = this.#rules.of(this.#accountId);
    const after = this.#parts.write(connection);
    this.isDone = after !== undefined;
    if (!after) return;
    connection.run(countBudgetsSql, { accountId: this.#accountId, count: after.length });
    this.#rules.set(this.#accountId, after);
  }

  /** Does nothing if the change was undone before, since later changes have replaced the rules. */
  undo(): void {
    const before = this.#before;
    if (!before) return;
    this.#before = undefined;
    this.#rules.set(this.#accountId, before);
    this.#parts.undo?.();
  }

  onWritten(): void {}

  onFailure(): void {
    this.undo();
  }
}
