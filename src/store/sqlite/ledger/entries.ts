import type { Entry, Receipt, WrittenEntry } from '../../../ledger/entry.ts';
import type { EntryPage } from '../../../ledger/ledger-store.ts';
import type { Connection, Row } from '../connection.ts';
import type { Head } from './heads.ts';

/** `number`: among the entries of all accounts. `previous`: that of the account's entry before; 0: it is the first. */
export type PlacedEntry = WrittenEntry & { number: number; previous: number };

/** False: there is an entry of this id already, and nothing was written. */
export function insertEntry(connection: Connection, { receipt, ...entry }: PlacedEntry): boolean {
  return connection.run(insert, { ...entry, receipt: receipt && JSON.stringify(receipt) }) > 0;
}

export const hasEntry = (connection: Connection, id: string): boolean =>
  connection.first('SELECT 1 FROM entry WHERE id = $id', { id }) !== undefined;

export function selectEntry(connection: Connection, id: string): PlacedEntry | undefined {
  const row = connection.first('SELECT * FROM entry WHERE id = $id', { id });
  return row && entryOf(row);
}

/** Newest first, from the account's last one or the one behind `after`; undefined: the account has no entry `after`. */
export function selectEntries(
  connection: Connection,
  { accountId, limit, after }: EntryPage,
  head: Head,
): PlacedEntry[] | undefined {
  if (after === undefined) return selectChain(connection, head.number, limit);
  const last = connection.first(selectPrevious, { accountId, id: after });
  return last && selectChain(connection, Number(last.previous), limit);
}

const selectChain = (connection: Connection, number: number, limit: number): PlacedEntry[] =>
  connection.all(selectBackwards, { number, limit }).map(entryOf);

/** Numbers of an account's entries, newest first, from one on and behind another. */
export const selectNumbers = (
  connection: Connection,
  range: { from: number; behind: number; limit: number },
): { number: number; previous: number }[] =>
  connection
    .all(selectNumbersBack, range)
    .map(({ number, previous }) => ({ number: Number(number), previous: Number(previous) }));

export const selectNumbered = (connection: Connection, number: number): WrittenEntry =>
  entryOf(connection.first('SELECT * FROM entry WHERE number = $number', { number })!);

/** In the order in which they were written, whoever's they are. */
export const selectWritten = (
  connection: Connection,
  { after, limit }: { after: number; limit: number },
): PlacedEntry[] =>
  connection
    .all('SELECT * FROM entry WHERE number > $after ORDER BY number LIMIT $limit', { after, limit })
    .map(entryOf);

export const selectLastNumber = (connection: Connection): number =>
  Number(connection.first('SELECT MAX(number) AS number FROM entry')?.number ?? 0);

const insert = `
  INSERT INTO entry
    (number, id, account_id, sequence, previous, at, kind, period, microcredits, receipt, reason, hash)
  VALUES
    ($number, $id, $accountId, $sequence, $previous, $at, $kind, $period, $microcredits, $receipt, $reason, $hash)
  ON CONFLICT (id) DO NOTHING`;

const selectPrevious = 'SELECT previous FROM entry WHERE id = $id AND account_id = $accountId';
const COLUMNS =
  'number, previous, id, account_id, sequence, at, kind, period, microcredits, receipt, reason, hash';
/** A pointer forwards would never end. */
const selectBackwards = `
  WITH RECURSIVE chain AS (
    SELECT ${COLUMNS} FROM entry WHERE number = $number
    UNION ALL
    SELECT ${COLUMNS.replaceAll(/\w+/g, 'entry.$&')} FROM chain
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

const entryOf = (row: Row): PlacedEntry => ({
  number: row.number as number,
  previous: row.previous as number,
  id: row.id as string,
  accountId: row.account_id as string,
  sequence: row.sequence as number,
  at: row.at as number,
  kind: row.kind as Entry['kind'],
  period: row.period as string,
  microcredits: row.microcredits as number,
  receipt: row.receipt === null ? null : (JSON.parse(row.receipt as string) as Receipt),
  reason: row.reason as string | null,
  hash: row.hash as string,
});
