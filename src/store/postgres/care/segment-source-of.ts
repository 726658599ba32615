import type { SegmentSource } from '../../archive/segment-source.ts';
import { bytes, number } from '../../row-columns.ts';
import type { Queries } from '../queries.ts';

/** Distinguishes a damaged segment from an unavailable database. */
export const SEGMENT_REMEDY = 'restore this row from a backup';

const selectSizeSql = 'SELECT octet_length(content) AS size FROM ledger_segment WHERE id = $1';
/**
 * The column is stored uncompressed, so the server reads only the pages of these bytes. `substring` takes
 * integers, and numbers are sent as `bigint`.
 */
const selectBytesSql = `
  SELECT substring(content FROM $2::bigint::integer FOR $3::bigint::integer) AS bytes
  FROM ledger_segment WHERE id = $1`;

/** Returns the content of a row of `ledger_segment`. */
export const segmentSourceOf = (queries: Queries, id: number): SegmentSource => ({
  name: `Row ${id} of ledger_segment`,
  remedy: SEGMENT_REMEDY,
  async open() {
    const row = await queries.first(selectSizeSql, [id]);
    if (!row) throw new Error('the row is missing');
    return {
      size: number(row, 'size'),
      async read(at, length) {
        const found = await queries.first(selectBytesSql, [id, at + 1, length]);
        const piece = found && Buffer.from(bytes(found, 'bytes'));
        if (piece?.length !== length) throw new Error('the segment ends too early');
        return piece;
      },
      close: async () => {},
    };
  },
});
