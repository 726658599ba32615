import type { WrittenEntry } from '../../../money/ledger/entry.ts';
import type { EntryPage, UsageQuestion, UsageSum } from '../../../money/ledger/ledger-store.ts';
import type { Database } from '../database.ts';
import { PostgresKeptEntries } from './postgres-kept-entries.ts';
import type { PostgresLedgerCare } from './postgres-ledger-care.ts';
import { sumPostgresUsage } from './sum-postgres-usage.ts';

/** Reads entries and sums of usage. */
export class PostgresLedgerReads {
  readonly #database: Database;
  readonly #entries: PostgresKeptEntries;

  constructor(
    database: Database,
    { archive, quarantines }: Pick<PostgresLedgerCare, 'archive' | 'quarantines'>,
  ) {
    this.#database = database;
    this.#entries = new PostgresKeptEntries({ database, archive, quarantines });
  }

  /** Lists entries newest first. Returns undefined if the account has no entry `after`. */
  listEntries(page: EntryPage): Promise<{ items: WrittenEntry[]; hasMore: boolean } | undefined> {
    return this.#entries.list(page);
  }

  findEntry(id: string): Promise<WrittenEntry | undefined> {
    return this.#entries.find(id);
  }

  /**
   * Reports whether a segment has the entry. Writers ask before they write an entry again that may be old.
   */
  isArchived(id: string): Promise<boolean> {
    return this.#entries.isArchived(id);
  }

  sumUsage(question: UsageQuestion): Promise<UsageSum[]> {
    return sumPostgresUsage(this.#database, question);
  }
}
