import type { ShortfallStore } from '../customers/billing/shortfall-store.ts';
import type { CommonQueries } from './common-queries.ts';

const exceedingSql = `
  SELECT account_id, SUM(microcredits) AS microcredits FROM shortfall WHERE at >= $1 AND account_id > $4
  GROUP BY account_id HAVING SUM(microcredits) > $2 ORDER BY account_id LIMIT $3`;

/**
 * Charges below their list cost, in both kinds of databases. Each is written in the transaction of its entry.
 */
export class Shortfalls implements ShortfallStore {
  readonly #queries: CommonQueries;

  constructor(queries: CommonQueries) {
    this.#queries = queries;
  }

  async exceededShortfalls({
    since,
    above,
    after = '',
    limit,
  }: Parameters<ShortfallStore['exceededShortfalls']>[0]) {
    const rows = await this.#queries.all(exceedingSql, [since, above, limit, after]);
    return rows.map(({ account_id, microcredits }) => ({
      accountId: String(account_id),
      microcredits: Number(microcredits),
    }));
  }

  async clearShortfalls(accountId: string): Promise<void> {
    await this.#queries.run('DELETE FROM shortfall WHERE account_id = $1', [accountId]);
  }

  async sweepShortfalls(before: number): Promise<void> {
    await this.#queries.run('DELETE FROM shortfall WHERE at < $1', [before]);
  }
}
