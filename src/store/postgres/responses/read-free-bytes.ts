import type { Free } from '../../../money/limits/free-space.ts';
import type { Queries } from '../database.ts';

/**
 * The space up to the largest size of the database. The disk of the server is not visible. Postgres reuses
 * the pages of removed texts but does not return them, so their number is estimated from the figures of the
 * latest automatic vacuum. The log is elsewhere, so it needs no space of its own.
 * Returns undefined if the largest size is unknown.
 */
export async function readFreeBytes(
  queries: Queries,
  { maxBytes }: { maxBytes: number | null },
): Promise<Free | undefined> {
  if (maxBytes === null) return undefined;
  const row = await queries.first(selectSizesSql);
  return { onDisk: Math.max(0, maxBytes - Number(row!.size) + Number(row!.reusable)), inside: 0 };
}

/** A page has at most four pieces of texts that are stored apart from their rows. */
const selectSizesSql = `
  SELECT pg_database_size(current_database()) AS size, (
    SELECT coalesce(sum(greatest(0, apart.relpages - ceil(apart.reltuples / 4))), 0)::bigint
      * current_setting('block_size')::bigint
    FROM pg_class AS owner JOIN pg_class AS apart ON apart.oid = owner.reltoastrelid
    WHERE owner.relkind = 'r' AND owner.relnamespace = current_schema()::regnamespace AND apart.reltuples >= 0
  ) AS reusable`;
