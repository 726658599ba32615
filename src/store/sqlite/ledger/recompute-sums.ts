import { readEntry } from '../../../money/ledger/entry-text.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { accountOfRow } from './account-of-row.ts';
import { type EntryRow, type PlacedEntry, selectWritten } from './entries.ts';
import { selectHead } from './heads.ts';

/** An entry that cannot be read. `accountId` is undefined if its account is unknown. */
export type UnreadableRow = { row: EntryRow; accountId: string | undefined };

/** The sums that are recomputed. */
export type RecomputedSums = {
  add(placed: PlacedEntry): void;
  /** Skips an entry that cannot be read. */
  skip(row: EntryRow, accountId: string): void;
};

const ENTRIES_AT_A_TIME = 1_000;

/**
 * Adds the entries after a number that the previous process did not write to the sums. Returns the entries
 * that cannot be read.
 */
export function recomputeSums(
  connection: SqliteConnection,
  sums: RecomputedSums,
  summed: number,
): UnreadableRow[] {
  const heads = new Map<string, number>();
  const writtenUpTo = (accountId: string): number => {
    const number = heads.get(accountId) ?? selectHead(connection, accountId).number;
    heads.set(accountId, number);
    return number;
  };
  const unreadable: UnreadableRow[] = [];
  for (let after = summed; ; ) {
    const rows = selectWritten(connection, { after, limit: ENTRIES_AT_A_TIME });
    for (const row of rows) {
      const entry = readEntry(row);
      const accountId = entry?.accountId ?? accountOfRow(connection, row);
      if (!entry) unreadable.push({ row, accountId });
      if (accountId === undefined || row.number <= writtenUpTo(accountId)) continue;
      if (entry) sums.add({ entry, head: { number: row.number, sequence: entry.sequence, hash: row.hash } });
      else sums.skip(row, accountId);
    }
    if (rows.length < ENTRIES_AT_A_TIME) return unreadable;
    after = rows.at(-1)!.number;
  }
}
