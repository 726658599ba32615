import type { ShortfallStore } from '../../customers/billing/shortfall-store.ts';
import { shortfallSql } from '../shortfall-sql.ts';
import type { SqliteConnection } from './connection.ts';
import type { GroupCommitWriter } from './group-commit-writer.ts';
import { withSqliteProblems } from './sqlite-problem.ts';

const sql = shortfallSql((number) => `?${number}`);

type Shortfall = { entryId: string; accountId: string; at: number; microcredits: number };

/** Writes a shortfall in the transaction of its entry. */
export const insertShortfall = (connection: SqliteConnection, shortfall: Shortfall): void =>
  void connection.run(
    `INSERT INTO shortfall (entry_id, account_id, at, microcredits)
      VALUES ($entryId, $accountId, $at, $microcredits) ON CONFLICT DO NOTHING`,
    shortfall,
  );

export class SqliteShortfalls implements ShortfallStore {
  readonly #connection: SqliteConnection;
  readonly #writer: GroupCommitWriter;

  constructor(connection: SqliteConnection, writer: GroupCommitWriter) {
    this.#connection = connection;
    this.#writer = writer;
  }

  async exceededShortfalls({ since, above, limit }: { since: number; above: number; limit: number }) {
    const { path } = this.#connection;
    const rows = withSqliteProblems(path, () => this.#connection.all(sql.exceeding, [since, above, limit]));
    return rows.map((row) => ({
      accountId: row.account_id as string,
      microcredits: row.microcredits as number,
    }));
  }

  async clearShortfalls(accountId: string): Promise<void> {
    await this.#writer.write((connection) => connection.run(sql.clear, [accountId]));
  }

  async sweepShortfalls(before: number): Promise<void> {
    await this.#writer.write((connection) => connection.run(sql.sweep, [before]));
  }
}
