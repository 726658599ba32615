import type { BudgetState } from '../budgets/budget-state.ts';
import type { HoldOrder, ShortageKind } from './hold.ts';

/** The balance that a request draws on, after its charge or after the refusal of its hold. */
export type Spending = {
  order: HoldOrder;
  usedMicrocredits: number;
  /** Credit beyond what the plan gives, or all purchases. */
  grantedMicrocredits: number;
  /** The amount that counts against the key's cap in the month. `null` means no cap. */
  keyMicrocredits: number | null;
  /** The reason why the hold was refused. `null` means that a charge was written. */
  refused: ShortageKind | null;
  /**
   * The budgets that the request counts for, or those that refused it if `refused` is `budget-reached`.
   * Undefined if the account has no budgets.
   */
  budgets?: readonly BudgetState[];
};

/** Observes balances. It is called for every charge, so it must return at once. */
export type SpendWatch = {
  spent(spending: Spending): void;
  /** Learns the balance of purchased credit after a purchase. */
  purchased(accountId: string, microcredits: number): void;
};
