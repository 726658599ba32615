import type { Budget } from './budget.ts';

/** A budget with the amounts of one of its targets. */
export type BudgetState = {
  budget: Budget;
  target: string;
  usedMicrocredits: number;
  heldMicrocredits: number;
  /** The first bin of the window that has an amount. */
  bin: number | undefined;
};
