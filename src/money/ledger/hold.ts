import type { BudgetState } from '../budgets/budget-state.ts';
import type { SpendLabels } from '../budgets/spend-labels.ts';
import type { Period } from './period.ts';

/** A request's order for a hold, placed before any upstream call. */
export type HoldOrder = {
  requestId: string;
  accountId: string;
  keyId: string;
  pays: 'monthly' | 'purchased';
  period: Period;
  /** The amount that the key can spend in the calendar month. `null` means no cap. */
  keyCapMicrocredits: number | null;
  /**
   * The bounds of a hold for purchased credit and capped keys. The hold takes what is available, up to
   * `most`. Less than `least` is a shortage.
   */
  worst: { least: number; most: number } | null;
  /** The daily token limit of the plan that pays for this request. `null` means that only credits limit. */
  tokensPerDay: number | null;
  at: number;
  /** The labels for which budgets count the request apart from its key. */
  labels?: SpendLabels | undefined;
  /** False if no budget counts the request, so that none is checked. */
  isBudgeted?: boolean | undefined;
};

/** Permission to proceed. `microcredits` stay reserved until the hold is posted or voided. */
export type Hold = { order: HoldOrder; microcredits: number };

/** The balance, the cap or the budget that refuses a hold. */
export type ShortageKind =
  | 'period-used-up'
  | 'day-used-up'
  | 'nothing-purchased'
  | 'purchased-too-little'
  | 'key-cap-reached'
  | 'budget-reached';

/** The reason for a refused hold, with the amounts used and given in the period. */
export type Shortage = {
  shortage: ShortageKind;
  usedMicrocredits: number;
  givenMicrocredits: number | null;
  /**
   * The balance that would have paid, and the amount that counts against the key's cap.
   * The amount is `null` if the key has no cap.
   */
  payer?: { usedMicrocredits: number; grantedMicrocredits: number; keyMicrocredits: number | null };
  /** The budgets that refused. */
  budgets?: readonly BudgetState[];
};
