import type { Entry } from '../../../money/ledger/entry.ts';
import type { Period } from '../../../money/ledger/period.ts';
import { renewalEntry } from '../../../money/ledger/renewal-entry.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { openBucket } from './buckets.ts';
import { insertEntry, type PlacedEntry } from './entries.ts';
import type { OpenBook } from './open-book.ts';

/**
 * Appends an entry to its account's chain, unless the entry exists.
 * Later jobs of the same transaction append after it.
 */
export function addEntry(connection: SqliteConnection, book: OpenBook, entry: Entry): PlacedEntry[] {
  const { sums } = book;
  const last = book.head ?? sums.head(book.accountId);
  sums.lastNumber += 1;
  const head = insertEntry(connection, entry, { number: sums.lastNumber, last });
  book.head = head ?? last;
  return head ? [{ entry, head }] : [];
}

/** Records the start of a period. */
export function openPeriod(connection: SqliteConnection, book: OpenBook, period: Period): PlacedEntry[] {
  const { accountId, sums } = book;
  const isRenewal = period.endsAt !== null && sums.hasCycles(accountId);
  if (!openBucket(connection, { accountId, period: period.id }) || !isRenewal) return [];
  return addEntry(connection, book, renewalEntry(accountId, period));
}
