import {
  type CountedBatch,
  type ItemState,
  type RequestCounts,
  unansweredCounts,
} from '../../../batches/stored/batch.ts';
import { runningBatchOfRow } from '../../batch-rows.ts';
import type { PostgresRow } from '../database.ts';

/** A counted batch with its internal number. */
export type CountedRow = CountedBatch & { sequence: number };

/**
 * The columns of a counted batch. The counts of an ended batch are final. Before the end they are computed
 * from its items: reading the thousand narrow rows of a full batch takes under a millisecond, and all
 * attempts would wait for the row of a counter.
 */
export const COUNTED = `
  batch.*,
  CASE WHEN batch.counts IS NULL THEN (
    SELECT jsonb_object_agg(state, items)::text
    FROM (SELECT state, count(*) AS items FROM batch_item WHERE batch = batch.sequence GROUP BY state) AS states
  ) END AS states`;

export const RETRIES = `
  (SELECT coalesce(sum(failures), 0) FROM batch_item WHERE batch = batch.sequence)::bigint AS retries`;

export function countedRow(row: PostgresRow): CountedRow {
  const batch = runningBatchOfRow(row);
  if (row.counts !== null) return { ...batch, counts: JSON.parse(String(row.counts)) as RequestCounts };
  return { ...batch, counts: countsOf(statesOf(row)) };
}

/** Returns the numbers of items by state. The result is empty for an ended batch. */
export const statesOf = (row: PostgresRow): Partial<Record<ItemState, number>> =>
  JSON.parse(String(row.states ?? '{}'));

/** Converts the numbers of items by state. */
export function countsOf({
  queued = 0,
  running = 0,
  ...ended
}: Partial<Record<ItemState, number>>): RequestCounts {
  return { ...unansweredCounts(queued + running), ...ended };
}
