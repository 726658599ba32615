import { nextTurn } from '../../../base/lib/next-turn.ts';
import type { Budget } from '../../../money/budgets/budget.ts';
import { readEntry } from '../../../money/ledger/entry-text.ts';
import { BudgetSums } from '../../ledger/budget-sums.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { addSpend } from './budget-spend.ts';
import { type EntryRow, selectChainPiece } from './entries.ts';
import { selectHead } from './heads.ts';
import type { LedgerArchive } from './ledger-archive.ts';
import type { RunningSums } from './running-sums.ts';

/** About 2 ms of work. Requests are served in between. */
const ENTRIES_AT_A_TIME = 300;

type Parts = { connection: SqliteConnection; sums: RunningSums; archive: LedgerArchive };

/**
 * Counts the charges of a budget's window that were written before the budget. Most entries are read while
 * requests are served. The rest are read in the transaction that writes the budget, which also splits them
 * between the table and the sums that are not written yet.
 */
export class BudgetCount {
  readonly #parts: Parts;
  readonly #budget: Budget;
  readonly #sums = new BudgetSums();
  /** The number of the last entry that was read. */
  #upTo = 0;

  constructor(parts: Parts, budget: Budget) {
    this.#parts = parts;
    this.#budget = budget;
  }

  /** Reads the account's entries, newest first, until the window has no more. */
  async read(): Promise<void> {
    const { connection, archive, sums } = this.#parts;
    const { accountId } = this.#budget;
    sums.write(accountId);
    this.#upTo = selectHead(connection, accountId).number;
    for (let from = this.#upTo; from > 0; ) {
      // Entries move to the archive meanwhile.
      const behind = archive.upTo;
      const rows: EntryRow[] =
        from > behind
          ? selectChainPiece(connection, { from, behind, limit: ENTRIES_AT_A_TIME })
          : await archive.page({ accountId, before: from + 1, limit: ENTRIES_AT_A_TIME });
      const last = rows.at(-1);
      if (!last || !this.#sums.addNewestFirst(this.#budget, rows)) return;
      from = last.previous;
      await nextTurn();
    }
  }

  /** Must run in the transaction that writes the budget, before a charge can be counted for it. */
  write(connection: SqliteConnection): void {
    const { accountId } = this.#budget;
    const { sums } = this.#parts;
    const stored = selectHead(connection, accountId).number;
    const added = new BudgetSums();
    for (const row of this.#latest(sums.head(accountId).number)) {
      const entry = readEntry(row);
      if (!entry) continue;
      if (row.number > stored) sums.count(this.#budget, entry);
      else added.addEntry(this.#budget, entry);
    }
    for (const part of [this.#sums, added]) for (const row of part.rows) addSpend(connection, accountId, row);
  }

  undo(): void {
    this.#parts.sums.dropCounter(this.#budget.accountId, this.#budget.counter);
  }

  *#latest(from: number): Iterable<EntryRow> {
    for (let next = from; next > this.#upTo; ) {
      const page = { from: next, behind: this.#upTo, limit: ENTRIES_AT_A_TIME };
      const rows = selectChainPiece(this.#parts.connection, page);
      yield* rows;
      if (rows.length < ENTRIES_AT_A_TIME) return;
      next = rows.at(-1)!.previous;
    }
  }
}
