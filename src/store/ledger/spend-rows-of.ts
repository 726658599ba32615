import { type BudgetRule, type Spender, targetsOf } from '../../money/budgets/budget.ts';
import { binOf } from '../../money/budgets/budget-window.ts';
import type { Entry } from '../../money/ledger/entry.ts';

/** The sums of one bin of a counter. */
export type SpendRow = { counter: string; target: string; bin: number; used: number; requests: number };

/** Returns the rows in which an entry counts for a budget. */
export function spendRowsOf(budget: BudgetRule, entry: Entry): SpendRow[] {
  const spent = spentBy(entry);
  if (!spent) return [];
  const { spender, at, ...amounts } = spent;
  const bin = binOf(budget, at);
  if (bin < budget.countsFrom) return [];
  const { counter } = budget;
  return targetsOf(budget, spender).map((target) => ({ counter, target, bin, ...amounts }));
}

type Spent = Pick<SpendRow, 'used' | 'requests'> & { spender: Spender; at: number };

/** Returns the charge of a usage entry, or the difference to the estimate of one that is counted. */
function spentBy({ kind, at, microcredits, receipt, corrected }: Entry): Spent | undefined {
  if (corrected) return { spender: corrected, at: corrected.at, used: -microcredits, requests: 0 };
  if (kind !== 'usage' || !receipt) return undefined;
  return { spender: receipt, at, used: microcredits, requests: 1 };
}
