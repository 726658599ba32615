import type { BudgetState } from '../../../money/budgets/budget-state.ts';
import { budgetOfRow } from '../../budget-rows.ts';
import type { CommonRow } from '../../common-queries.ts';

/** A row of `budget_spend` that holds an amount. */
export type CounterRow = readonly [counter: string, target: string, bin: number];

/** A budget with its amounts, as the functions of the database return it. */
export type BudgetStateRow = readonly [
  budget: CommonRow,
  target: string,
  used: number,
  held: number,
  first: number | null,
];

export const stateOfRow = ([budget, target, used, held, first]: BudgetStateRow): BudgetState => ({
  budget: budgetOfRow(budget),
  target,
  usedMicrocredits: used,
  heldMicrocredits: held,
  bin: first ?? undefined,
});
