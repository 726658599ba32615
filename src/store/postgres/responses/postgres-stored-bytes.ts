import type { StoredBytes } from '../../../money/limits/stored-bytes.ts';
import type { Database } from '../database.ts';

const selectTotalSql = 'SELECT bytes FROM account_storage WHERE account_id = $1 AND until = 0';

/** The limit ends the sums at the first second that suffices. */
const selectExpirySql = `
  SELECT until FROM (
    SELECT until, sum(bytes) OVER (ORDER BY until) AS freed
    FROM account_storage WHERE account_id = $1 AND until > 0
  ) AS step WHERE freed >= $2::bigint ORDER BY until LIMIT 1`;

/** The bytes of accounts in Postgres. The transaction that adds or removes a row changes the sums. */
export class PostgresStoredBytes implements StoredBytes {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async storedBytes(accountId: string): Promise<number> {
    return Number((await this.#database.first(selectTotalSql, [accountId]))?.bytes ?? 0);
  }

  async expiryOf(accountId: string, bytes: number): Promise<number | undefined> {
    const row = await this.#database.first(selectExpirySql, [accountId, bytes]);
    return row && Number(row.until) * 1_000;
  }
}
