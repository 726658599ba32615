import { readEntry } from '../../../money/ledger/entry-text.ts';
import type { ArchivedEntries } from '../../../money/ledger/ledger-care.ts';
import type { ArchivedRow } from '../../archive/archived-row.ts';
import { packSegment } from '../../archive/pack-segment.ts';
import type { Database } from '../database.ts';
import type { Queries } from '../queries.ts';
import { takeLock, tryLock } from './care-locks.ts';
import { longTransaction } from './long-transaction.ts';
import type { PostgresArchive } from './postgres-archive.ts';
import { selectOldest } from './postgres-entry-rows.ts';
import type { UsageRollUp } from './usage-roll-up.ts';

/** A segment of this many entries takes about 1.5 MB. All of them are in memory while it is written. */
const MAX_ENTRIES = 16_384;
const ENTRIES_AT_A_TIME = 1_000;

export type PostgresArchiverParts = {
  database: Database;
  archive: PostgresArchive;
  rollUp: UsageRollUp;
  /** The most entries of a segment. */
  maxEntries?: number;
  /** Bounds the wait for transactions that delay the sums. */
  waitMs?: number;
};

const insertSql = `
  INSERT INTO ledger_segment (id, first, last, entries, sha256, content)
  VALUES ((SELECT coalesce(max(id), 0) + 1 FROM ledger_segment), $1, $2, $3, $4, $5)`;

/**
 * Moves entries from the table to segments. One transaction writes a segment and deletes its rows, so that
 * every reader finds an entry in exactly one of them. An account's entries have ascending numbers in the
 * order of its chain, so the oldest numbers are the chain's start.
 */
export class PostgresArchiver {
  readonly #parts: PostgresArchiverParts;
  #isRunning = false;

  constructor(parts: PostgresArchiverParts) {
    this.#parts = parts;
  }

  /** Returns undefined if another call is under way, in this node or in another one. */
  async moveAll(before: number): Promise<ArchivedEntries | undefined> {
    if (this.#isRunning) return undefined;
    this.#isRunning = true;
    const moved = { entries: 0, segments: 0, bytes: 0 };
    try {
      await this.#parts.rollUp.catchUp(this.#parts.waitMs);
      for (let isFirst = true; ; isFirst = false) {
        const some = await this.#moveSome({ before, mayWait: !isFirst });
        if (some === 'busy') return undefined;
        if (!some) return moved;
        moved.entries += some.entries;
        moved.segments += 1;
        moved.bytes += some.bytes;
      }
    } finally {
      this.#isRunning = false;
    }
  }

  /** Moves the entries of one segment. Returns undefined if none is left. */
  #moveSome(order: {
    before: number;
    mayWait: boolean;
  }): Promise<{ entries: number; bytes: number } | 'busy' | undefined> {
    return longTransaction(this.#parts.database, async (queries) => {
      if (order.mayWait) await takeLock(queries, 'archive');
      else if (!(await tryLock(queries, 'archive'))) return 'busy';
      const rows = await this.#collect(queries, order.before);
      if (rows.length === 0) return undefined;
      const { content, sha256 } = await packSegment(rows);
      const first = rows[0]!.number;
      const last = rows.at(-1)!.number;
      await queries.run(insertSql, [first, last, rows.length, sha256, content]);
      const numbers = rows.map(({ number }) => number);
      const deleted = await queries.run('DELETE FROM entry WHERE number = ANY($1::bigint[])', [numbers]);
      if (deleted !== rows.length) throw new Error('an entry was removed while it was archived');
      return { entries: rows.length, bytes: content.length };
    });
  }

  /**
   * Collects the oldest entries, up to the first that is not before the time. The sums of hours and days have
   * all of them.
   */
  async #collect(queries: Queries, before: number): Promise<ArchivedRow[]> {
    const { maxEntries = MAX_ENTRIES } = this.#parts;
    const found: ArchivedRow[] = [];
    const last = new Map<string, number>();
    for (let after = 0; ; ) {
      const limit = Math.min(ENTRIES_AT_A_TIME, maxEntries - found.length);
      const rows = await selectOldest(queries, { after, limit });
      for (const row of rows) {
        if (!row.isRolledUp || (readEntry(row)?.at ?? 0) >= before) return found;
        const { number, id, accountId, text, hash } = row;
        const previous = last.get(accountId) ?? (await this.#parts.archive.lastOf(queries, accountId));
        found.push({ accountId, number, id, previous, text, hash });
        last.set(accountId, number);
      }
      if (rows.length < limit || found.length >= maxEntries) return found;
      after = rows.at(-1)!.number;
    }
  }
}
