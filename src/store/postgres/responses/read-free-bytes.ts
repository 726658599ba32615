import type { FreeBytes } from '../../../money/limits/free-space.ts';
import { number } from '../../row-columns.ts';
import type { Queries } from '../queries.ts';

/** Long texts are in TOAST tables, whose pages have at most four chunks each. */
const selectSizesSql = `
  SELECT pg_database_size(current_database()) AS size, (
    SELECT coalesce(sum(greatest(0, toast.relpages - ceil(toast.reltuples / 4))), 0)::bigint
      * current_setting('block_size')::bigint
    FROM pg_class AS owner JOIN pg_class AS toast ON toast.oid = owner.reltoastrelid
    WHERE owner.relkind = 'r' AND owner.relnamespace = current_schema()::regnamespace AND toast.reltuples >= 0
  ) AS reusable`;

/**
 * Returns the space up to the largest size of the database, since the disk of the server is not visible.
 * Returns undefined if the largest size is unknown. Postgres keeps the pages of removed texts for reuse.
 * Their number is estimated from the figures of the latest autovacuum. The write-ahead log is not part of
 * this size, so it needs no reserve.
 */
export async function readFreeBytes(
  queries: Queries,
  { maxBytes }: { maxBytes: number | null },
): Promise<FreeBytes | undefined> {
  if (maxBytes === null) return undefined;
  const row = await queries.first(selectSizesSql);
  const usedBytes = number(row, 'size') - number(row, 'reusable');
  return { onDisk: Math.max(0, maxBytes - usedBytes), inside: 0 };
}
