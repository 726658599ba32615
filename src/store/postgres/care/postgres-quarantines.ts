import { OneByOne } from '../../../base/lib/one-by-one.ts';
import type { Quarantine } from '../../../money/ledger/ledger-care.ts';
import { QuarantineList, unreadableReason } from '../../ledger/quarantine-list.ts';
import { number, text } from '../../row-columns.ts';
import type { Database } from '../database.ts';
import type { Queries } from '../queries.ts';

const insertSql = `
  INSERT INTO quarantine (account_id, since, reason) VALUES ($1, now_ms(), $2)
  ON CONFLICT DO NOTHING RETURNING since`;

export type QuarantineRows = Pick<Database, 'all' | 'transaction'>;

/** Accounts that no node serves until an operator repairs them. Every node has all of them in memory. */
export class PostgresQuarantines extends QuarantineList {
  readonly #database: QuarantineRows;
  /** Quarantines of this node whose rows are being written. */
  readonly #pending = new Map<string, Quarantine>();
  /** Reads run one after another, since an older answer that came last would stay in force. */
  readonly #reads = new OneByOne();

  constructor(database: QuarantineRows) {
    super();
    this.#database = database;
  }

  /** Reads all rows: at the start, and whenever the change feed names a quarantine. */
  refresh(): Promise<void> {
    return this.#reads.run(() => this.#read());
  }

  async #read(): Promise<void> {
    const rows = await this.#database.all(
      'SELECT account_id, since, reason FROM quarantine ORDER BY account_id',
    );
    const before = this.byAccount;
    const entries = rows.map((row): [string, Quarantine] => [
      text(row, 'account_id'),
      { accountId: text(row, 'account_id'), since: number(row, 'since'), reason: text(row, 'reason') },
    ]);
    this.byAccount = new Map([...entries, ...this.#pending]);
    for (const quarantine of this.byAccount.values())
      if (!before.has(quarantine.accountId)) this.notify(quarantine);
  }

  /**
   * Adds a quarantine. It takes effect immediately in this node, and in others when they read the change.
   * If it cannot be written, the next reader of the entry finds the same damage.
   */
  add(accountId: string, reason: string): Promise<void> {
    if (this.byAccount.has(accountId)) return Promise.resolve();
    const quarantine = { accountId, since: Date.now(), reason };
    this.byAccount.set(accountId, quarantine);
    this.#pending.set(accountId, quarantine);
    this.notify(quarantine);
    return this.#write(quarantine);
  }

  addUnreadable(accountId: string, entryId: string): void {
    // A quarantine that cannot be written is tried again at the next read of the entry.
    void this.add(accountId, unreadableReason(entryId)).catch(() => {});
  }

  /** Deletes the row. The caller calls `forget` when the transaction has committed. */
  async deleteRow(queries: Queries, accountId: string): Promise<void> {
    await queries.run('DELETE FROM quarantine WHERE account_id = $1', [accountId]);
    await queries.all(`SELECT announce('quarantine', $1)`, [accountId]);
  }

  forget(accountId: string): void {
    this.byAccount.delete(accountId);
  }

  async #write({ accountId, reason }: Quarantine): Promise<void> {
    try {
      const since = await this.#database.transaction(async (queries) => {
        const row = await queries.first(insertSql, [accountId, reason]);
        if (row) await queries.all(`SELECT announce('quarantine', $1)`, [accountId]);
        return row?.since;
      });
      // The database's time replaces the time in memory.
      if (since !== undefined && this.byAccount.has(accountId))
        this.byAccount.set(accountId, { accountId, since: Number(since), reason });
    } finally {
      // A read that is under way may have begun before the row was written.
      void this.#reads.run(async () => this.#pending.delete(accountId));
    }
  }
}
