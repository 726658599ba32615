import type { Entry, WrittenEntry } from '../../../ledger/entry.ts';
import { formatEntry, type KeptEntry, readEntry } from '../../../ledger/entry-text.ts';
import { hashEntry } from '../../../ledger/hash-entry.ts';
import type { EntryPage } from '../../../ledger/ledger-store.ts';
import { StoreProblem } from '../../store-problem.ts';
import type { Connection, Row } from '../connection.ts';
import type { Head } from './heads.ts';

/** An entry, and where its account's chain ends with it. */
export type PlacedEntry = { entry: Entry; head: Head };
/** `number`: among the entries of all accounts. `previous`: that of the account's entry before; 0: it is the first. */
export type EntryRow = KeptEntry & { number: number; previous: number };

/** Writes an entry behind its account's last one. Undefined: there is an entry of its id already, and nothing was written. */
export function insertEntry(
  connection: Connection,
  entry: Entry,
  { number, last }: { number: number; last: Head },
): Head | undefined {
  const sequence = last.sequence + 1;
  const text = formatEntry(entry, sequence);
  const hash = hashEntry(last.hash, entry.id, text);
  const isNew = connection.run(insert, [number, entry.id, last.number, text, hash]) > 0;
  return isNew ? { number, sequence, hash } : undefined;
}

/** As it was written. */
export function entryOf(row: EntryRow): WrittenEntry {
  const entry = readEntry(row);
  if (entry) return entry;
  throw new StoreProblem(
    `The entry ${row.id} of the ledger has been changed, and is none any more`,
    'put a backup back; `tollgate ledger verify` says what else differs',
  );
}

export const hasEntry = (connection: Connection, id: string): boolean =>
  connection.first('SELECT 1 FROM entry WHERE id = $id', { id }) !== undefined;

export function selectEntry(connection: Connection, id: string): EntryRow | undefined {
  const row = connection.first('SELECT * FROM entry WHERE id = $id', { id });
  return row && entryRowOf(row);
}

/** Newest first, from the account's last one or the one behind `after`; undefined: the account has no entry `after`. */
export function selectEntries(
  connection: Connection,
  { accountId, limit, after }: EntryPage,
  head: Head,
): EntryRow[] | undefined {
  if (after === undefined) return selectChain(connection, head.number, limit);
  const last = selectEntry(connection, after);
  if (!last || readEntry(last)?.accountId !== accountId) return undefined;
  return selectChain(connection, last.previous, limit);
}

const selectChain = (connection: Connection, number: number, limit: number): EntryRow[] =>
  connection.all(selectBackwards, { number, limit }).map(entryRowOf);

/** Numbers of an account's entries, newest first, from one on and behind another. */
export const selectNumbers = (
  connection: Connection,
  range: { from: number; behind: number; limit: number },
): { number: number; previous: number }[] =>
  connection
    .all(selectNumbersBack, range)
    .map(({ number, previous }) => ({ number: Number(number), previous: Number(previous) }));

export const selectNumbered = (connection: Connection, number: number): EntryRow =>
  entryRowOf(connection.first('SELECT * FROM entry WHERE number = $number', { number })!);

/** In the order in which they were written, whoever's they are. */
export const selectWritten = (
  connection: Connection,
  { after, limit }: { after: number; limit: number },
): EntryRow[] =>
  connection
    .all('SELECT * FROM entry WHERE number > $after ORDER BY number LIMIT $limit', { after, limit })
    .map(entryRowOf);

export const selectLastNumber = (connection: Connection): number =>
  Number(connection.first('SELECT MAX(number) AS number FROM entry')?.number ?? 0);

const insert = `
  INSERT INTO entry (number, id, previous, text, hash) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO NOTHING`;

/** A pointer forwards would never end. */
const selectBackwards = `
  WITH RECURSIVE chain AS (
    SELECT number, id, previous, text, hash FROM entry WHERE number = $number
    UNION ALL
    SELECT entry.number, entry.id, entry.previous, entry.text, entry.hash FROM chain
    JOIN entry ON entry.number = chain.previous AND entry.number < chain.number
  )
  SELECT * FROM chain LIMIT $limit`;
const selectNumbersBack = `
  WITH RECURSIVE chain AS (
    SELECT number, previous FROM entry WHERE number = $from AND number > $behind
    UNION ALL
    SELECT entry.number, entry.previous FROM chain
    JOIN entry ON entry.number = chain.previous AND entry.number < chain.number AND entry.number > $behind
  )
  SELECT * FROM chain LIMIT $limit`;

const entryRowOf = (row: Row): EntryRow => ({
  number: row.number as number,
  id: row.id as string,
  previous: row.previous as number,
  text: row.text as string,
  hash: row.hash as string,
});
