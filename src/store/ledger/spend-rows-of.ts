import { type BudgetRule, targetsOf } from '../../money/budgets/budget.ts';
import { binOf } from '../../money/budgets/budget-window.ts';
import type { Entry } from '../../money/ledger/entry.ts';

/** The sums of one bin of a counter. */
export type SpendRow = { counter: string; target: string; bin: number; used: number; requests: number };

/** Returns the rows in which an entry counts for a budget. */
export function spendRowsOf(budget: BudgetRule, { kind, at, microcredits, receipt }: Entry): SpendRow[] {
  if (kind !== 'usage' || !receipt) return [];
  const bin = binOf(budget, at);
  if (bin < budget.countsFrom) return [];
  const { counter } = budget;
  return targetsOf(budget, receipt).map((target) => ({
    counter,
    target,
    bin,
    used: microcredits,
    requests: 1,
  }));
}
