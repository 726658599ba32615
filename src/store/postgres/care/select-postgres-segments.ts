import { number, text } from '../../row-columns.ts';
import type { Queries } from '../queries.ts';

/** A segment of archived entries. Its bytes are in the column `content`. */
export type PostgresSegment = { id: number; first: number; last: number; entries: number; sha256: string };
export type FoundSegment = PostgresSegment & { isIntact: boolean };

const selectSegmentsSql = `
  SELECT id, first, last, entries, sha256, seal = seal_of('ledger_segment', jsonb_build_object(
    'id', id, 'first', first, 'last', last, 'entries', entries, 'sha256', sha256)) AS is_whole
  FROM ledger_segment ORDER BY id`;

/** Selects all segments, oldest first. `isIntact` is false if the row was changed. */
export async function selectPostgresSegments(queries: Queries): Promise<FoundSegment[]> {
  const rows = await queries.all(selectSegmentsSql);
  return rows.map((row) => ({
    id: number(row, 'id'),
    first: number(row, 'first'),
    last: number(row, 'last'),
    entries: number(row, 'entries'),
    sha256: text(row, 'sha256'),
    isIntact: row.is_whole === true,
  }));
}
