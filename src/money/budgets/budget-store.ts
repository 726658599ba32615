import type { AuditEntry } from '../accounts/audit.ts';
import type { Budget, BudgetScope } from './budget.ts';

export type BudgetFilter = {
  accountId?: string | undefined;
  scope?: BudgetScope | undefined;
  target?: string | undefined;
};
export type BudgetPage = BudgetFilter & { limit: number; after?: string | undefined };
export type Paged<T> = { items: T[]; hasMore: boolean };

/**
 * The amounts that one target of a budget has spent and holds in the current window.
 * `bin`: the first one with an amount.
 */
export type TargetSpend = {
  target: string;
  usedMicrocredits: number;
  heldMicrocredits: number;
  requests: number;
  bin: number | undefined;
};

/** A key with a monthly cap, which is shown among the budgets. */
export type CappedKey = {
  id: string;
  accountId: string;
  name: string | null;
  capUsd: number;
  version: number;
  createdAt: number;
};
export type CapPage = {
  accountId?: string | undefined;
  id?: string | undefined;
  limit: number;
  after?: string | undefined;
};

export type SpendingPage = Paged<TargetSpend> & { isUnknown: boolean };

export type SpendPage = { now: number; limit: number; after?: string | undefined };

/** The storage port for budgets. Each change and its audit entry are written in one transaction. */
export interface BudgetStore {
  /** Writes the budget, and counts the charges of its window before. `full`: the account has too many. */
  createBudget(budget: Budget, audit: AuditEntry, limit: number): Promise<'created' | 'full'>;
  findBudget(id: string): Promise<Budget | undefined>;
  /** Lists budgets, newest last. */
  listBudgets(page: BudgetPage): Promise<Paged<Budget>>;
  /**
   * Writes the budget if the stored revision is `budget.revision`, and increments it. With another `counter`
   * than the stored one the charges are counted again.
   */
  saveBudget(budget: Budget, audit: AuditEntry): Promise<'saved' | 'conflict'>;
  removeBudget(budget: Budget, audit: AuditEntry): Promise<boolean>;
  /** Lists the amounts that count now, largest first. `isUnknown`: no target is `after`. */
  listSpending(budget: Budget, page: SpendPage): Promise<SpendingPage>;
  /** Keys with a cap that are not revoked, newest last. */
  listCaps(page: CapPage): Promise<Paged<CappedKey>>;
  /** Deletes what no window counts any longer. */
  sweep(now: number): Promise<void>;
}
