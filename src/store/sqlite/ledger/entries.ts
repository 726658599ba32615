import type { Entry } from '../../../money/ledger/entry.ts';
import { formatEntry } from '../../../money/ledger/entry-text.ts';
import { hashEntry } from '../../../money/ledger/hash-entry.ts';
import type { ChainedEntry } from '../../../money/ledger/repair-entry.ts';
import type { ChainHead } from '../../ledger/chain-head.ts';
import { number, text } from '../../row-columns.ts';
import type { Row, SqliteConnection } from '../sqlite-connection.ts';
import { selectArchivedUpTo } from './segments.ts';

/** A written entry and the resulting end of its account's chain. */
export type PlacedEntry = { entry: Entry; head: ChainHead };
export type EntryRow = ChainedEntry;

const insertEntrySql = `
  INSERT INTO entry (number, id, previous, text, hash) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO NOTHING`;

/**
 * Writes an entry at the end of its account's chain.
 * Returns undefined if an entry with this id exists, and nothing was written.
 */
export function insertEntry(
  connection: SqliteConnection,
  entry: Entry,
  { number, last }: { number: number; last: ChainHead },
): ChainHead | undefined {
  const sequence = last.sequence + 1;
  const text = formatEntry(entry, sequence);
  const hash = hashEntry(last.hash, entry.id, text);
  const isNew = connection.run(insertEntrySql, [number, entry.id, last.number, text, hash]) > 0;
  return isNew ? { number, sequence, hash } : undefined;
}

export const hasEntry = (connection: SqliteConnection, id: string): boolean =>
  connection.first('SELECT 1 FROM entry WHERE id = $id', { id }) !== undefined;

export function selectEntry(connection: SqliteConnection, id: string): EntryRow | undefined {
  const row = connection.first('SELECT * FROM entry WHERE id = $id', { id });
  return row && entryRowOf(row);
}

/** A pointer to a later entry would make the recursion endless. */
const selectPieceSql = `
  WITH RECURSIVE chain AS (
    SELECT number, id, previous, text, hash FROM entry WHERE number = $from AND number > $behind
    UNION ALL
    SELECT entry.number, entry.id, entry.previous, entry.text, entry.hash FROM chain
    JOIN entry ON entry.number = chain.previous AND entry.number < chain.number AND entry.number > $behind
  )
  SELECT * FROM chain LIMIT $limit`;

/** An account's entries from one number down to, and without, another: newest first. */
export const selectChainPiece = (
  connection: SqliteConnection,
  range: { from: number; behind: number; limit: number },
): EntryRow[] => connection.all(selectPieceSql, range).map(entryRowOf);

export const selectNumbered = (connection: SqliteConnection, number: number): EntryRow | undefined => {
  const row = connection.first('SELECT * FROM entry WHERE number = $number', { number });
  return row && entryRowOf(row);
};

const deleteOldestSql = `
  DELETE FROM entry
  WHERE number IN (SELECT number FROM entry WHERE number <= $upTo ORDER BY number LIMIT $limit)`;

/** Deletes the oldest entries up to a number. Returns how many were deleted. */
export const deleteEntries = (connection: SqliteConnection, order: { upTo: number; limit: number }): number =>
  connection.run(deleteOldestSql, order);

/** The entries of all accounts in order of writing. */
export const selectWritten = (
  connection: SqliteConnection,
  { after, limit }: { after: number; limit: number },
): EntryRow[] =>
  connection
    .all('SELECT * FROM entry WHERE number > $after ORDER BY number LIMIT $limit', { after, limit })
    .map(entryRowOf);

const selectLastSql = 'SELECT MAX(number) AS number FROM entry';

export const selectLastNumber = (connection: SqliteConnection): number =>
  Math.max(selectArchivedUpTo(connection), numberOf(connection.first(selectLastSql)));

/** Returns the largest entry number that is not above `number`, or 0. */
export const selectNumberUpTo = (connection: SqliteConnection, number: number): number =>
  Math.max(
    Math.min(number, selectArchivedUpTo(connection)),
    numberOf(connection.first(`${selectLastSql} WHERE number <= $number`, { number })),
  );

const numberOf = (row: Row | undefined): number => Number(row?.number ?? 0);

const entryRowOf = (row: Row): EntryRow => ({
  number: number(row, 'number'),
  id: text(row, 'id'),
  previous: number(row, 'previous'),
  text: text(row, 'text'),
  hash: text(row, 'hash'),
});
