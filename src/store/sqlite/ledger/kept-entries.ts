import type { WrittenEntry } from '../../../money/ledger/entry.ts';
import { readEntry } from '../../../money/ledger/entry-text.ts';
import type { EntryPage } from '../../../money/ledger/ledger-store.ts';
import { repairEntryId } from '../../../money/ledger/repair-entry.ts';
import type { ArchivedRow } from '../../archive/archived-row.ts';
import { unreadableEntry } from '../../ledger/unreadable-entry.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { withSqliteProblems } from '../sqlite-problem.ts';
import { accountOfRow } from './account-of-row.ts';
import type { Deliveries } from './deliveries.ts';
import { type EntryRow, hasEntry, selectChainPiece, selectEntry } from './entries.ts';
import type { LedgerArchive } from './ledger-archive.ts';
import type { Quarantines } from './quarantines.ts';
import type { RunningSums } from './running-sums.ts';

export type KeptEntriesParts = {
  connection: SqliteConnection;
  sums: RunningSums;
  archive: LedgerArchive;
  deliveries: Deliveries;
  quarantines: Quarantines;
};

/** A row with its account if it comes from the archive. */
type FoundRow = EntryRow & Partial<ArchivedRow>;

/**
 * Reads entries from the table and from the archive. The table comes first, because entries move from there
 * to the archive and never back.
 */
export class KeptEntries {
  readonly #parts: KeptEntriesParts;

  constructor(parts: KeptEntriesParts) {
    this.#parts = parts;
  }

  /** Lists entries newest first. Returns undefined if the account has no entry `after`. */
  async list({ accountId, limit, after }: EntryPage) {
    const from = await this.#startOf(accountId, after);
    if (from === undefined) return undefined;
    const { connection, archive } = this.#parts;
    const behind = archive.upTo;
    const rows: FoundRow[] = this.#read(() =>
      selectChainPiece(connection, { from, behind, limit: limit + 1 }),
    );
    const missing = limit + 1 - rows.length;
    const before = Math.min(from, behind) + 1;
    if (missing > 0 && behind > 0) rows.push(...(await archive.page({ accountId, before, limit: missing })));
    const items = await Promise.all(rows.slice(0, limit).map((row) => this.#readWritten(row)));
    return { items, hasMore: rows.length > limit };
  }

  async find(id: string): Promise<WrittenEntry | undefined> {
    const row = await this.#row(id);
    return row && this.#readWritten(row);
  }

  async has(id: string): Promise<boolean> {
    return this.#read(() => hasEntry(this.#parts.connection, id)) || this.isArchived(id);
  }

  async isArchived(id: string): Promise<boolean> {
    return (await this.#parts.archive.find(id)) !== undefined;
  }

  /** Quarantines the account of an unreadable row, unless a repair has accepted the row. */
  quarantineFor(row: EntryRow, accountId: string | undefined): void {
    const { connection, quarantines } = this.#parts;
    if (accountId === undefined || hasEntry(connection, repairEntryId(row))) return;
    quarantines.addUnreadable(accountId, row.id);
  }

  /** Returns the number of a page's first entry: the account's last entry, or the entry before `after`. */
  async #startOf(accountId: string, after: string | undefined): Promise<number | undefined> {
    if (after === undefined) return this.#read(() => this.#parts.sums.head(accountId).number);
    const last = await this.#row(after);
    return last && this.#accountOf(last) === accountId ? last.previous : undefined;
  }

  #accountOf(row: FoundRow): string | undefined {
    return row.accountId ?? this.#read(() => accountOfRow(this.#parts.connection, row));
  }

  async #row(id: string): Promise<FoundRow | undefined> {
    const { connection, archive } = this.#parts;
    return this.#read(() => selectEntry(connection, id)) ?? (await archive.find(id));
  }

  async #readWritten(row: FoundRow): Promise<WrittenEntry> {
    const entry = readEntry(row) ?? (await this.#unreadable(row));
    return this.#parts.deliveries.isUnconfirmed(row) ? { ...entry, isUnconfirmed: true } : entry;
  }

  async #unreadable(row: FoundRow): Promise<WrittenEntry> {
    const accountId = this.#accountOf(row);
    // The entry of a repair follows the row that it accepts, so it can be archived only if the row is.
    const isAccepted = row.number <= this.#parts.archive.upTo && (await this.isArchived(repairEntryId(row)));
    if (!isAccepted) this.quarantineFor(row, accountId);
    return unreadableEntry(row, accountId ?? '');
  }

  #read<T>(query: () => T): T {
    return withSqliteProblems(this.#parts.connection.path, query);
  }
}
