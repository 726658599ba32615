import type { Spending, SpendWatch } from '../../money/ledger/spend-watch.ts';
import type { SpendAlertParts } from './spend-alert-parts.ts';
import { watchBudget } from './watch-budget.ts';
import { watchCap } from './watch-cap.ts';
import { watchCredits } from './watch-credits.ts';

/** Watches the caps of keys, the budgets and the credits of accounts. */
export class SpendAlerts implements SpendWatch {
  readonly #parts: SpendAlertParts;

  constructor(parts: SpendAlertParts) {
    this.#parts = parts;
  }

  spent(spending: Spending): void {
    watchCap(this.#parts, spending);
    for (const state of spending.budgets ?? []) watchBudget(this.#parts, spending, state);
    watchCredits(this.#parts, spending);
  }

  purchased(accountId: string, microcredits: number): void {
    this.#parts.marks.set(accountId, microcredits);
    this.#parts.saveMark(accountId, microcredits);
  }
}
