import type { ShortfallStore } from '../../../customers/billing/shortfall-store.ts';
import { shortfallSql } from '../../shortfall-sql.ts';
import type { Queries } from '../database.ts';

const sql = shortfallSql((number) => `$${number}`);

/** Charges below their list cost, of all nodes. */
export class PostgresShortfalls implements ShortfallStore {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async exceededShortfalls({ since, above, limit }: { since: number; above: number; limit: number }) {
    const rows = await this.#queries.all(sql.exceeding, [since, above, limit]);
    return rows.map((row) => ({
      accountId: String(row.account_id),
      microcredits: Number(row.microcredits),
    }));
  }

  async clearShortfalls(accountId: string): Promise<void> {
    await this.#queries.run(sql.clear, [accountId]);
  }

  async sweepShortfalls(before: number): Promise<void> {
    await this.#queries.run(sql.sweep, [before]);
  }
}
