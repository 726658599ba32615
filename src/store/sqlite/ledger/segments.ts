import { number, text } from '../../row-columns.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { sealOf } from './seal.ts';

/**
 * A file of archived entries. Its numbers are from `first` to `last`, and `first` follows the `last` of the
 * segment before.
 */
export type Segment = { first: number; last: number; entries: number; file: string; sha256: string };

/** Selects all segments, oldest first. `isIntact` is false if the row was changed. */
export const selectSegments = (connection: SqliteConnection): (Segment & { isIntact: boolean })[] =>
  connection.all('SELECT * FROM ledger_segment ORDER BY first').map((row) => {
    const segment = {
      first: number(row, 'first'),
      last: number(row, 'last'),
      entries: number(row, 'entries'),
      file: text(row, 'file'),
      sha256: text(row, 'sha256'),
    };
    return { ...segment, isIntact: row.seal === sealOfSegment(segment) };
  });

const insertSql = `
  INSERT INTO ledger_segment (first, last, entries, file, sha256, seal)
  VALUES ($first, $last, $entries, $file, $sha256, $seal)`;

export const insertSegment = (connection: SqliteConnection, segment: Segment): void =>
  void connection.run(insertSql, { ...segment, seal: sealOfSegment(segment) });

/** Returns the number up to which entries are archived. */
export const selectArchivedUpTo = (connection: SqliteConnection): number =>
  Number(connection.first('SELECT MAX(last) AS last FROM ledger_segment')?.last ?? 0);

const sealOfSegment = ({ first, last, entries, file, sha256 }: Segment): string =>
  sealOf('ledger_segment', first, last, entries, file, sha256);
