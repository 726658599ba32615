import { OneByOne } from '../../../base/lib/one-by-one.ts';
import type { Quarantine } from '../../../money/ledger/ledger-care.ts';
import { number, text } from '../../row-columns.ts';
import type { Database } from '../database.ts';
import type { Queries } from '../queries.ts';

const insertSql = `
  INSERT INTO quarantine (account_id, since, reason) VALUES ($1, now_ms(), $2)
  ON CONFLICT DO NOTHING RETURNING since`;

/** Accounts that no node serves until an operator repairs them. Every node has all of them in memory. */
export class PostgresQuarantines {
  readonly #database: Database;
  #all = new Map<string, Quarantine>();
  readonly #listeners: ((quarantine: Quarantine) => void)[] = [];
  /** Quarantines of this node whose rows are being written. */
  readonly #pending = new Map<string, Quarantine>();
  /** Reads run one after another, since an older answer that came last would stay in force. */
  readonly #reads = new OneByOne();

  constructor(database: Database) {
    this.#database = database;
  }

  get all(): readonly Quarantine[] {
    return [...this.#all.values()];
  }

  of(accountId: string): Quarantine | undefined {
    return this.#all.size === 0 ? undefined : this.#all.get(accountId);
  }

  listen(listener: (quarantine: Quarantine) => void): void {
    this.#listeners.push(listener);
  }

  /** Reads all rows: at the start, and whenever the change feed names a quarantine. */
  refresh(): Promise<void> {
    return this.#reads.run(() => this.#read());
  }

  async #read(): Promise<void> {
    const rows = await this.#database.all(
      'SELECT account_id, since, reason FROM quarantine ORDER BY account_id',
    );
    const before = this.#all;
    const entries = rows.map((row): [string, Quarantine] => [
      text(row, 'account_id'),
      { accountId: text(row, 'account_id'), since: number(row, 'since'), reason: text(row, 'reason') },
    ]);
    this.#all = new Map([...entries, ...this.#pending]);
    for (const quarantine of this.#all.values())
      if (!before.has(quarantine.accountId)) this.#notify(quarantine);
  }

  /**
   * Adds a quarantine. It takes effect immediately in this node, and in others when they read the change.
   * If it cannot be written, the next reader of the entry finds the same damage. The
   * database's time later replaces the time in memory.
   */
  add(accountId: string, reason: string): Promise<void> {
    if (this.#all.has(accountId)) return Promise.resolve();
    const quarantine = { accountId, since: Date.now(), reason };
    this.#all.set(accountId, quarantine);
    this.#pending.set(accountId, quarantine);
    this.#notify(quarantine);
    return this.#write(quarantine);
  }

  addUnreadable(accountId: string, entryId: string): void {
    // A quarantine that cannot be written is tried again at the next read of the entry.
    void this.add(accountId, `The entry ${entryId} of its ledger cannot be read.`).catch(() => {});
  }

  /** Removes the row. The caller calls `ended` when the transaction has committed. */
  async end(queries: Queries, accountId: string): Promise<void> {
    await queries.run('DELETE FROM quarantine WHERE account_id = $1', [accountId]);
    await queries.all(`SELECT announce('quarantine', $1)`, [accountId]);
  }

  onEnded(accountId: string): void {
    this.#all.delete(accountId);
  }

  async #write({ accountId, reason }: Quarantine): Promise<void> {
    try {
      const since = await this.#database.transaction(async (queries) => {
        const row = await queries.first(insertSql, [accountId, reason]);
        if (row) await queries.all(`SELECT announce('quarantine', $1)`, [accountId]);
        return row?.since;
      });
      if (since !== undefined && this.#all.has(accountId))
        this.#all.set(accountId, { accountId, since: Number(since), reason });
    } finally {
      this.#pending.delete(accountId);
    }
  }

  #notify(quarantine: Quarantine): void {
    for (const listener of this.#listeners) listener(quarantine);
  }
}
