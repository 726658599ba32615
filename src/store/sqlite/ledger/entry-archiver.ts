import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOfError } from '../../../base/lib/error-code.ts';
import { nextTurn } from '../../../base/lib/next-turn.ts';
import { syncDirectory } from '../../../base/lib/sync-directory.ts';
import { readEntry } from '../../../money/ledger/entry-text.ts';
import type { ArchivedEntries } from '../../../money/ledger/ledger-care.ts';
import type { ArchivedRow } from '../../archive/archived-row.ts';
import { TEMPORARY } from '../../archive/new-segment-file.ts';
import { writeSegment } from '../../archive/write-segment.ts';
import { StoreProblem } from '../../store-problem.ts';
import type { GroupCommitWriter } from '../group-commit-writer.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { accountOfRow } from './account-of-row.ts';
import { deleteEntries, type EntryRow, selectNumbered, selectWritten } from './entries.ts';
import type { LedgerArchive } from './ledger-archive.ts';
import type { RunningSums } from './running-sums.ts';
import { insertSegment } from './segments.ts';
import { selectSummed } from './summed.ts';

/**
 * A segment of this many entries takes about 1.5 MB on disk. All of them are in memory while it is written.
 */
const MAX_ENTRIES = 16_384;
/** About 2 ms of work. Requests are served in between. */
const ENTRIES_AT_A_TIME = 500;

export type EntryArchiverParts = {
  connection: SqliteConnection;
  writer: GroupCommitWriter;
  sums: RunningSums;
  archive: LedgerArchive;
  /** The most entries of a segment. */
  maxEntries?: number;
};

const FILE_NAME = /^entries-\d+-(\d+)\.zst$/;

/**
 * Moves entries from the table to files. Each file is whole and on disk before the transaction that records
 * it. Then the rows are deleted in small groups.
 * After a crash the next call removes an unrecorded file and deletes the remaining rows.
 */
export class EntryArchiver {
  readonly #parts: EntryArchiverParts;

  constructor(parts: EntryArchiverParts) {
    this.#parts = parts;
  }

  /** Completes what an earlier process began. Nothing else may write to the archive. */
  async tidy(): Promise<void> {
    await this.#deleteMoved();
    await withFileProblems(this.#parts.archive.directory, () => this.#tidyFiles());
  }

  /** Moves the entries of one segment. Returns undefined if no entry before the time is left. */
  async moveSome(before: number): Promise<ArchivedEntries | undefined> {
    const { writer, archive } = this.#parts;
    const rows = await this.#collect(before);
    if (rows.length === 0) return undefined;
    const first = archive.upTo + 1;
    const last = rows.at(-1)!.number;
    const file = `entries-${name(first)}-${name(last)}.zst`;
    const path = join(archive.directory, file);
    const { bytes, sha256 } = await withFileProblems(path, () => writeSegment(path, rows));
    const segment = { first, last, entries: rows.length, file, sha256 };
    await writer.write((connection) => insertSegment(connection, segment));
    archive.add(segment);
    await this.#deleteMoved();
    return { entries: rows.length, segments: 1, bytes };
  }

  async #tidyFiles(): Promise<void> {
    const { directory, segments } = this.#parts.archive;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    await syncDirectory(dirname(directory));
    const recorded = new Set(segments.map(({ file }) => file));
    for (const file of readdirSync(directory))
      if (!recorded.has(file) && this.#isSuperfluous(file)) rmSync(join(directory, file));
  }

  /** Reports whether an unrecorded file is incomplete, or has only entries that are in the table. */
  #isSuperfluous(file: string): boolean {
    if (file.endsWith(TEMPORARY)) return true;
    const last = FILE_NAME.exec(file)?.[1];
    return last !== undefined && selectNumbered(this.#parts.connection, Number(last)) !== undefined;
  }

  /**
   * Collects the oldest entries in the table, up to the first that is not before the time. All of them are in
   * the stored sums.
   */
  async #collect(before: number): Promise<ArchivedRow[]> {
    const { connection, archive, maxEntries = MAX_ENTRIES } = this.#parts;
    const last = await this.#summedUpTo();
    const found = new RowsWithAccounts(connection);
    for (let after = archive.upTo; ; await nextTurn()) {
      const limit = Math.min(ENTRIES_AT_A_TIME, maxEntries - found.rows.length);
      const rows = selectWritten(connection, { after, limit });
      for (const row of rows) {
        if (row.number > last || (readEntry(row)?.at ?? 0) >= before) return found.rows;
        found.add(row);
      }
      if (rows.length < limit || found.rows.length >= maxEntries) return found.rows;
      after = rows.at(-1)!.number;
    }
  }

  /** Writes the sums. Returns the number up to which they have all entries. */
  async #summedUpTo(): Promise<number> {
    const { connection, sums } = this.#parts;
    while (sums.writeSome()) await nextTurn();
    // Few accounts are left.
    sums.save();
    const { number, isIntact } = selectSummed(connection);
    return isIntact ? number : 0;
  }

  async #deleteMoved(): Promise<void> {
    const { writer, archive } = this.#parts;
    const order = { upTo: archive.upTo, limit: ENTRIES_AT_A_TIME };
    if (order.upTo === 0) return;
    while ((await writer.write((connection) => deleteEntries(connection, order))) > 0);
  }
}

/** Rows, each with the account of its chain. */
class RowsWithAccounts {
  readonly #connection: SqliteConnection;
  /** The account by the number of its last entry. */
  readonly #accounts = new Map<number, string>();
  readonly rows: ArchivedRow[] = [];

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  add(row: EntryRow): void {
    const accountId = this.#accounts.get(row.previous) ?? accountOfRow(this.#connection, row);
    if (accountId === undefined)
      throw new StoreProblem(`No account has the entry ${row.id}`, 'run `tollgate ledger verify`');
    this.#accounts.delete(row.previous);
    this.#accounts.set(row.number, accountId);
    this.rows.push({ ...row, accountId });
  }
}

/** Converts errors of the file system into a StoreProblem. */
async function withFileProblems<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codeOfError(error);
    if (error instanceof StoreProblem || code === undefined) throw error;
    throw new StoreProblem(
      `${path} cannot be written (${code})`,
      'free some space or check its permissions',
      error,
    );
  }
}

const name = (number: number): string => String(number).padStart(12, '0');
