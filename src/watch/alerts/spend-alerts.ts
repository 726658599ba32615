import type { Spending, SpendWatch } from '../../money/ledger/spend-watch.ts';
import type { AlertService } from './alert-service.ts';
import { watchBudget } from './watch-budget.ts';
import { watchCap } from './watch-cap.ts';
import { watchCredits } from './watch-credits.ts';

export type SpendAlertParts = {
  service: Pick<AlertService, 'raise' | 'hasRaised'>;
  /** Returns the share of the credits at which they are low. */
  lowShare(): number;
  /** The balance of purchased credit after the latest purchase, by account. */
  marks: Map<string, number>;
  saveMark(accountId: string, microcredits: number): void;
  /** The shares of credits at which an organization itself is notified. */
  ownShares?(accountId: string): readonly number[];
  nameOfAccount(id: string): Promise<string | null>;
  nameOfKey(id: string): Promise<string | null>;
};

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
