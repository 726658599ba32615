import { DAY_MS } from '../../base/lib/units.ts';
import { type BudgetRule, targetsOf } from '../../money/budgets/budget.ts';
import { binOf } from '../../money/budgets/budget-window.ts';
import type { Entry } from '../../money/ledger/entry.ts';

/** The sums of one bin of a counter. */
export type SpendRow = { counter: string; target: string; bin: number; used: number; requests: number };

/** Returns the rows that an entry counts in. */
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

/** The sums of entries for a budget. */
export class BudgetSums {
  readonly #rows = new Map<string, SpendRow>();

  add(row: SpendRow): void {
    const name = `${row.bin} ${row.counter} ${row.target}`;
    const existingRow = this.#rows.get(name);
    if (!existingRow) this.#rows.set(name, { ...row });
    else {
      existingRow.used += row.used;
      existingRow.requests += row.requests;
    }
  }

  take(budget: BudgetRule, entry: Entry): void {
    for (const row of spendRowsOf(budget, entry)) this.add(row);
  }

  /** Removes and returns the rows of a counter. */
  drop(counter: string): SpendRow[] {
    const dropped: SpendRow[] = [];
    for (const [name, row] of this.#rows) {
      if (row.counter !== counter) continue;
      this.#rows.delete(name);
      dropped.push(row);
    }
    return dropped;
  }

  get rows(): Iterable<SpendRow> {
    return this.#rows.values();
  }
}

/**
 * Reports whether all earlier entries of the chain were admitted before a time. An entry that went through
 * the spool is written some time after its request has ended.
 */
export const areEarlierBefore = ({ receipt }: Entry, time: number): boolean =>
  receipt?.endedAt !== undefined && receipt.endedAt < time - DAY_MS;
