import { text } from '../../row-columns.ts';
import type { Database } from '../database.ts';
import { longTransaction } from './long-transaction.ts';

/** The approximate number of entries that one call sums. They take some 200 ms. */
const ENTRIES_AT_A_TIME = 10_000;
const PAUSE_MS = 1_000;
const BUSY_PAUSE_MS = 20;
const WAIT_MS = 10_000;

/** Selects whether all transactions before one have ended, and no other node is adding to the sums. */
const selectIsPastSql = `
  SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8
    AND NOT EXISTS (
      SELECT 1 FROM entry, usage_watermark mark
      WHERE entry.xid >= mark.xid AND entry.xid < $1::text::xid8 AND number > mark.restored_up_to) AS is_past`;

/**
 * Sums new entries into `usage_hour` and `usage_day`. Every node runs it, and a lock of the database lets one
 * at a time work. The sums and the watermark change in one transaction.
 * Without new entries a run is one read of two indexes.
 */
export class UsageRollUp {
  readonly #database: Database;
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Adopts entries of a restored dump, and begins to run periodically.
   * Must be called before the node writes its first entry.
   */
  async start(): Promise<void> {
    // The node that is at work may be adopting restored entries.
    while ((await this.#state(ENTRIES_AT_A_TIME)) === 'busy') await Bun.sleep(BUSY_PAUSE_MS);
    this.#timer = setInterval(() => this.#tick(), PAUSE_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Sums all entries whose transactions have ended, unless another node is doing that. */
  async runAll(atATime = ENTRIES_AT_A_TIME): Promise<void> {
    while (await this.#step(atATime));
  }

  /**
   * Sums all entries that have been committed until now. Transactions that are under way anywhere in the
   * cluster delay this, so it gives up after a time.
   */
  async catchUp(waitMs = WAIT_MS): Promise<void> {
    const giveUpAt = Date.now() + waitMs;
    const row = await this.#database.first('SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next');
    const next = text(row, 'next');
    for (;;) {
      await this.runAll();
      const state = await this.#database.first(selectIsPastSql, [next]);
      if (state?.is_past === true || Date.now() >= giveUpAt) return this.runAll();
      await Bun.sleep(BUSY_PAUSE_MS);
    }
  }

  #tick(): void {
    this.#running ??= this.runAll()
      // The next tick tries again, and sums of usage include entries beyond the watermark.
      .catch(() => {})
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Reports whether more entries are left. */
  async #step(limit: number): Promise<boolean> {
    return (await this.#state(limit)) === 'more';
  }

  async #state(limit: number): Promise<unknown> {
    const sql = 'SELECT roll_up_usage($1) AS state';
    return longTransaction(this.#database, async (queries) => (await queries.first(sql, [limit]))?.state);
  }
}
