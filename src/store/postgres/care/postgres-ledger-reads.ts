import type { WrittenEntry } from '../../../money/ledger/entry.ts';
import { readEntry } from '../../../money/ledger/entry-text.ts';
import type { EntryPage, UsageQuestion, UsageSum } from '../../../money/ledger/ledger-store.ts';
import { type ChainedEntry, repairEntryId } from '../../../money/ledger/repair-entry.ts';
import type { ArchivedRow } from '../../archive/archived-row.ts';
import { unreadableEntry } from '../../ledger/unreadable-entry.ts';
import type { Database } from '../database.ts';
import type { PostgresArchive } from './postgres-archive.ts';
import { hasEntryRow, selectEntriesBefore, selectEntryById } from './postgres-entry-rows.ts';
import type { PostgresLedgerCare } from './postgres-ledger-care.ts';
import type { PostgresQuarantines } from './postgres-quarantines.ts';
import { sumPostgresUsage } from './sum-postgres-usage.ts';

/** A row of the table or of the archive, which has no column for the sequence. */
type FoundRow = ArchivedRow & { sequence?: number };

const selectNumberBeforeSql = `
  SELECT number FROM entry
  WHERE account_id = $1 AND sequence < (SELECT sequence FROM entry WHERE number = $2) ORDER BY sequence DESC LIMIT 1`;

/**
 * Reads entries, from the table and from the archive, and sums of usage. The table comes first, because
 * entries move from there to the archive and never back.
 */
export class PostgresLedgerReads {
  readonly #database: Database;
  readonly #archive: PostgresArchive;
  readonly #quarantines: PostgresQuarantines;

  constructor(database: Database, { archive, quarantines }: PostgresLedgerCare) {
    this.#database = database;
    this.#archive = archive;
    this.#quarantines = quarantines;
  }

  /** Lists entries newest first. Returns undefined if the account has no entry `after`. */
  async listEntries({ accountId, limit, after }: EntryPage) {
    const from = after === undefined ? undefined : await this.#row(after);
    if (after !== undefined && from?.accountId !== accountId) return undefined;
    const rows: FoundRow[] = [];
    if (!from || from.sequence !== undefined)
      rows.push(
        ...(await selectEntriesBefore(this.#database, {
          accountId,
          sequence: from?.sequence,
          limit: limit + 1,
        })),
      );
    const missing = limit + 1 - rows.length;
    const before = (rows.at(-1) ?? from)?.number ?? Number.MAX_SAFE_INTEGER;
    if (missing > 0)
      rows.push(...(await this.#archive.page(this.#database, { accountId, before, limit: missing })));
    return { items: await this.#readWritten(rows.slice(0, limit)), hasMore: rows.length > limit };
  }

  async findEntry(id: string): Promise<WrittenEntry | undefined> {
    const row = await this.#row(id);
    return row && (await this.#readWritten([row]))[0];
  }

  /** Reports whether a segment has the entry. Writers ask before they write an old entry again. */
  async isArchived(id: string): Promise<boolean> {
    return (await this.#archive.find(this.#database, id)) !== undefined;
  }

  sumUsage(question: UsageQuestion): Promise<UsageSum[]> {
    return sumPostgresUsage(this.#database, question);
  }

  async #row(id: string): Promise<FoundRow | undefined> {
    return (await selectEntryById(this.#database, id)) ?? (await this.#archive.find(this.#database, id));
  }

  async #readWritten(rows: readonly FoundRow[]): Promise<WrittenEntry[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const found = await this.#database.all(
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
    if (!(await this.#isAccepted(row))) this.#quarantines.addUnreadable(row.accountId, row.id);
    return unreadableEntry(row, row.accountId);
  }

  /** Reports whether a repair has accepted the row. Its digest has the number of the entry before it. */
  async #isAccepted(row: ChainedEntry & { accountId: string }): Promise<boolean> {
    const { accountId } = row;
    const [before] = await this.#database.all(selectNumberBeforeSql, [accountId, row.number]);
    const [archived] = before
      ? []
      : await this.#archive.page(this.#database, { accountId, before: row.number, limit: 1 });
    const previous = Number(before?.number ?? archived?.number ?? 0);
    const id = repairEntryId({ ...row, previous });
    return (await hasEntryRow(this.#database, id)) || this.isArchived(id);
  }
}
