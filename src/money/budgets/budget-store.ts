import type { CreateOutcome, Page, SaveOutcome } from '../accounts/account-store.ts';
import type { AuditEntry } from '../accounts/audit.ts';
import type { Budget, BudgetScope } from './budget.ts';

/** Selects budgets. Each part that is present must fit. */
type BudgetFilter = {
  accountId?: string | undefined;
  scope?: BudgetScope | undefined;
  target?: string | undefined;
};
export type BudgetPage = BudgetFilter & { limit: number; after?: string | undefined };

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
/** A page of the keys with a cap, of an account or with one id. */
export type CapPage = {
  accountId?: string | undefined;
  id?: string | undefined;
  limit: number;
  after?: string | undefined;
};

/** `isUnknown`: no target is the page's `after`. */
export type PageOfSpending = Page<TargetSpend> & { isUnknown: boolean };

/** A page of the amounts at a time. `after` is the last target of the previous page. */
export type SpendPage = { now: number; limit: number; after?: string | undefined };

/** The storage port for budgets. Each change and its audit entry are written in one transaction. */
export interface BudgetStore {
  /**
   * Writes the budget, and counts the earlier charges of its window. `full`: the account has `limit` budgets.
   */
  createBudget(budget: Budget, audit: AuditEntry, limit: number): Promise<CreateOutcome>;
  findBudget(id: string): Promise<Budget | undefined>;
  /** Lists budgets, newest last. */
  listBudgets(page: BudgetPage): Promise<Page<Budget>>;
  /**
   * Writes the budget if the stored revision is `budget.revision`, and increments it. With another `counter`
   * than the stored one the charges are counted again.
   */
  saveBudget(budget: Budget, audit: AuditEntry): Promise<SaveOutcome>;
  /** Returns false if there is no such budget, or if its revision is not `budget.revision`. */
  removeBudget(budget: Budget, audit: AuditEntry): Promise<boolean>;
  /** Lists the amounts that count now, largest first. */
  listSpending(budget: Budget, page: SpendPage): Promise<PageOfSpending>;
  /** Lists keys with a cap that are not revoked, newest last. */
  listCaps(page: CapPage): Promise<Page<CappedKey>>;
  /** Deletes the amounts that no window counts any longer. */
  sweep(now: number): Promise<void>;
}
