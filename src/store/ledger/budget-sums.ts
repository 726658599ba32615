import { DAY_MS } from '../../base/lib/units.ts';
import type { BudgetRule } from '../../money/budgets/budget.ts';
import type { Entry } from '../../money/ledger/entry.ts';
import { type KeptEntry, readEntry } from '../../money/ledger/entry-text.ts';
import { type SpendRow, spendRowsOf } from './spend-rows-of.ts';

/** The sums of entries for budgets. */
export class BudgetSums {
  readonly #rows = new Map<string, SpendRow>();

  addRow(row: SpendRow): void {
    const name = `${row.bin} ${row.counter} ${row.target}`;
    const existingRow = this.#rows.get(name);
    if (!existingRow) this.#rows.set(name, { ...row });
    else {
      existingRow.used += row.used;
      existingRow.requests += row.requests;
    }
  }

  addEntry(budget: BudgetRule, entry: Entry): void {
    for (const row of spendRowsOf(budget, entry)) this.addRow(row);
  }

  /** Adds entries of a chain, newest first. Returns false if no earlier entry can count. */
  addNewestFirst(budget: BudgetRule, entries: readonly KeptEntry[]): boolean {
    for (const kept of entries) {
      const entry = readEntry(kept);
      if (!entry) continue;
      this.addEntry(budget, entry);
      if (endedADayBefore(entry, budget.countsFrom)) return false;
    }
    return true;
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
 * Reports whether the request of an entry ended a day before a time. All earlier entries of the chain were
 * then admitted before the time, since the spool writes an entry within a day.
 */
const endedADayBefore = ({ receipt }: Entry, time: number): boolean =>
  receipt?.endedAt !== undefined && receipt.endedAt < time - DAY_MS;
