import type { WrittenEntry } from '../../../money/ledger/entry.ts';
import { readEntry } from '../../../money/ledger/entry-text.ts';
import type { EntryPage } from '../../../money/ledger/ledger-store.ts';
import { type ChainedEntry, repairEntryId } from '../../../money/ledger/repair-entry.ts';
import type { ArchivedRow } from '../../archive/archived-row.ts';
import { unreadableEntry } from '../../ledger/unreadable-entry.ts';
import type { Database } from '../database.ts';
import type { PostgresArchive } from './postgres-archive.ts';
import { hasEntryRow, selectEntriesBefore, selectEntryById } from './postgres-entry-rows.ts';
import type { PostgresQuarantines } from './postgres-quarantines.ts';

export type PostgresEntriesParts = {
  database: Database;
  archive: PostgresArchive;
  quarantines: PostgresQuarantines;
};

/** A row of the table or of the archive, which has no column for the sequence. */
type FoundRow = ArchivedRow & { sequence?: number };

const selectNumberBeforeSql = `
  SELECT number FROM entry
  WHERE account_id = $1 AND sequence < (SELECT sequence FROM entry WHERE number = $2) ORDER BY sequence DESC LIMIT 1`;

/**
 * Reads entries from the table and from the archive. The table comes first, because entries move from there
 * to the archive and never back.
 */
export class PostgresKeptEntries {
  readonly #parts: PostgresEntriesParts;

  constructor(parts: PostgresEntriesParts) {
    this.#parts = parts;
  }

  /** Lists entries newest first. Returns undefined if the account has no entry `after`. */
  async list({ accountId, limit, after }: EntryPage) {
    const from = after === undefined ? undefined : await this.#row(after);
    if (after !== undefined && from?.accountId !== accountId) return undefined;
    const { database, archive } = this.#parts;
    const rows: FoundRow[] = [];
    if (!from || from.sequence !== undefined)
      rows.push(
        ...(await selectEntriesBefore(database, { accountId, sequence: from?.sequence, limit: limit + 1 })),
      );
    const missing = limit + 1 - rows.length;
    const before = (rows.at(-1) ?? from)?.number ?? Number.MAX_SAFE_INTEGER;
    if (missing > 0) rows.push(...(await archive.page(database, { accountId, before, limit: missing })));
    return { items: await this.#readWritten(rows.slice(0, limit)), hasMore: rows.length > limit };
  }

  async find(id: string): Promise<WrittenEntry | undefined> {
    const row = await this.#row(id);
    return row && (await this.#readWritten([row]))[0];
  }

  async isArchived(id: string): Promise<boolean> {
    const { database, archive } = this.#parts;
    return (await archive.find(database, id)) !== undefined;
  }

  async #row(id: string): Promise<FoundRow | undefined> {
    const { database, archive } = this.#parts;
    return (await selectEntryById(database, id)) ?? (await archive.find(database, id));
  }

  async #readWritten(rows: readonly FoundRow[]): Promise<WrittenEntry[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const found = await this.#parts.database.all(
      'SELECT entry_id FROM unconfirmed WHERE entry_id = ANY($1::text[])',
      [ids],
    );
    const unconfirmed = new Set(found.map(({ entry_id }) => entry_id));
    const entries: WrittenEntry[] = [];
    for (const row of rows) {
      const entry = readEntry(row) ?? (await this.#unreadable(row));
      entries.push(unconfirmed.has(row.id) ? { ...entry, isUnconfirmed: true } : entry);
    }
    return entries;
  }

  async #unreadable(row: ChainedEntry & { accountId: string }): Promise<WrittenEntry> {
    if (!(await this.#isAccepted(row))) this.#parts.quarantines.addUnreadable(row.accountId, row.id);
    return unreadableEntry(row, row.accountId);
  }

  /** Reports whether a repair has accepted the row. Its digest has the number of the entry before it. */
  async #isAccepted(row: ChainedEntry & { accountId: string }): Promise<boolean> {
    const { database, archive } = this.#parts;
    const { accountId } = row;
    const [before] = await database.all(selectNumberBeforeSql, [accountId, row.number]);
    const [archived] = before
      ? []
      : await archive.page(database, { accountId, before: row.number, limit: 1 });
    const previous = Number(before?.number ?? archived?.number ?? 0);
    const id = repairEntryId({ ...row, previous });
    return (await hasEntryRow(database, id)) || this.isArchived(id);
  }
}
