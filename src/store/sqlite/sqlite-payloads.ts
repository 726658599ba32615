import type { Payload, PayloadStore } from '../../watch/requests/payload-store.ts';
import { packPayloads, payloadOf } from '../payload-packing.ts';
import type { SqliteConnection } from './connection.ts';
import type { GroupCommitWriter } from './group-commit-writer.ts';
import { withSqliteProblems } from './sqlite-problem.ts';

/** The content of requests. */
export class SqlitePayloads implements PayloadStore {
  readonly #connection: SqliteConnection;
  readonly #writer: GroupCommitWriter;

  constructor(connection: SqliteConnection, writer: GroupCommitWriter) {
    this.#connection = connection;
    this.#writer = writer;
  }

  async payloadAccounts(): Promise<string[]> {
    return this.#read(() =>
      this.#connection.all('SELECT account_id FROM payload_account').map((row) => String(row.account_id)),
    );
  }

  setPayloadLogging(accountId: string, isOn: boolean): Promise<void> {
    const sql = isOn
      ? 'INSERT OR IGNORE INTO payload_account (account_id) VALUES (?)'
      : 'DELETE FROM payload_account WHERE account_id = ?';
    return this.#writer.write((connection) => void connection.run(sql, [accountId]));
  }

  async addPayloads(payloads: readonly Payload[], mostEach: number): Promise<void> {
    const packed = await packPayloads(payloads);
    return this.#writer.write((connection) => {
      for (const { requestId, accountId, at, content } of packed)
        connection.run(insert, [requestId, accountId, at, content]);
      for (const accountId of new Set(packed.map((payload) => payload.accountId)))
        connection.run(trim, [accountId, accountId, mostEach]);
    });
  }

  async findPayload(accountId: string, requestId: string): Promise<Payload | undefined> {
    const sql = 'SELECT * FROM payload WHERE request_id = ? AND account_id = ?';
    const row = this.#read(() => this.#connection.first(sql, [requestId, accountId]));
    return row && payloadOf(row);
  }

  deletePayloads(accountId: string): Promise<number> {
    return this.#writer.write((connection) =>
      connection.run('DELETE FROM payload WHERE account_id = ?', [accountId]),
    );
  }

  sweepPayloads({ before, limit }: { before: number; limit: number }): Promise<number> {
    return this.#writer.write((connection) => connection.run(sweep, [before, limit]));
  }

  #read<T>(query: () => T): T {
    return withSqliteProblems(this.#connection.path, query);
  }
}

const insert = 'INSERT OR REPLACE INTO payload (request_id, account_id, at, content) VALUES (?, ?, ?, ?)';

const trim = `
  DELETE FROM payload WHERE account_id = ? AND rowid IN (
    SELECT rowid FROM payload INDEXED BY payload_by_account WHERE account_id = ? ORDER BY at DESC LIMIT -1 OFFSET ?)`;

const sweep = `
  DELETE FROM payload WHERE rowid IN (
    SELECT rowid FROM payload INDEXED BY payload_by_time WHERE at < ? ORDER BY at LIMIT ?)`;
