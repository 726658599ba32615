import type { Budget } from '../../../money/budgets/budget.ts';
import { readEntry } from '../../../money/ledger/entry-text.ts';
import { BudgetSums } from '../../ledger/budget-sums.ts';
import type { SpendRow } from '../../ledger/spend-rows-of.ts';
import { PostgresArchive } from '../care/postgres-archive.ts';
import { selectEntriesBefore } from '../care/postgres-entry-rows.ts';
import type { Queries } from '../queries.ts';

/** About 5 ms of work. */
const ENTRIES_AT_A_TIME = 500;
const ROWS_AT_A_TIME = 300;

const selectLatestSql = 'SELECT id, text, hash FROM entry WHERE account_id = $1 AND sequence > $2';
const insertSql = `
  INSERT INTO budget_spend (account_id, counter, target, bin, used, requests)
  SELECT $1, x.counter, x.target, x.bin, x.used, x.requests
  FROM json_to_recordset($2::text::json) AS x (counter text, target text, bin bigint, used bigint, requests bigint)`;

/**
 * Counts the charges of a budget's window that were written before the budget. Most entries are read before
 * the transaction that writes the budget. It locks the end of the account's chain, and reads the rest.
 */
export class PostgresBudgetCount {
  readonly #budget: Budget;
  readonly #sums = new BudgetSums();
  #upTo = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Reads the account's entries, newest first, until the window has no more. */
  async read(queries: Queries): Promise<void> {
    const { accountId } = this.#budget;
    const head = await queries.first('SELECT sequence FROM account_head WHERE account_id = $1', [accountId]);
    this.#upTo = Number(head?.sequence ?? 0);
    let sequence = this.#upTo + 1;
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const rows = await selectEntriesBefore(queries, { accountId, sequence, limit: ENTRIES_AT_A_TIME });
      if (!this.#sums.addNewestFirst(this.#budget, rows)) return;
      const last = rows.at(-1);
      sequence = last?.sequence ?? sequence;
      before = last?.number ?? before;
      if (rows.length < ENTRIES_AT_A_TIME) break;
    }
    await this.#readArchive(queries, before);
  }

  /** Must run in a transaction that has locked the end of the account's chain. */
  async write(queries: Queries): Promise<void> {
    const { accountId } = this.#budget;
    const rows = await queries.all(selectLatestSql, [accountId, this.#upTo]);
    for (const row of rows) {
      const entry = readEntry({ id: String(row.id), text: String(row.text), hash: String(row.hash) });
      if (entry) this.#sums.addEntry(this.#budget, entry);
    }
    const all = [...this.#sums.rows];
    for (let from = 0; from < all.length; from += ROWS_AT_A_TIME)
      await queries.run(insertSql, [
        accountId,
        JSON.stringify(all.slice(from, from + ROWS_AT_A_TIME) satisfies SpendRow[]),
      ]);
  }

  async #readArchive(queries: Queries, from: number): Promise<void> {
    const archive = new PostgresArchive();
    for (let before = from; ; ) {
      const page = { accountId: this.#budget.accountId, before, limit: ENTRIES_AT_A_TIME };
      const rows = await archive.page(queries, page);
      if (!this.#sums.addNewestFirst(this.#budget, rows) || rows.length < ENTRIES_AT_A_TIME) return;
      before = rows.at(-1)!.number;
    }
  }
}
