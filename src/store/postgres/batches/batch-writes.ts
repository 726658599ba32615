import type { Batch } from '../../../batches/stored/batch.ts';
import type { BatchSpace, WantedBatch } from '../../../batches/stored/batch-store.ts';
import { number } from '../../row-columns.ts';
import { SqlStatement } from '../../sql-statement.ts';
import type { Queries } from '../queries.ts';
import { countsOf, statesOf } from './batch-rows.ts';

/** Expired data does not count, whether or not it is removed. */
const hasRoomSql = `
  SELECT coalesce(sum(bytes) FILTER (WHERE until = 0), 0)
    - coalesce(sum(bytes) FILTER (WHERE until > 0 AND until * 1000 <= $3), 0) <= $2 AS has_room
  FROM account_storage WHERE account_id = $1`;

/**
 * Inserts a hidden batch, counts all its bytes and returns its number. Returns undefined if the account has
 * no space, and the transaction must be undone.
 * The lock of the account's sum lets concurrent batches see each other's bytes.
 */
export async function stageBatch(
  queries: Queries,
  node: string,
  { batch, room: { bytes, quota } }: { batch: Batch; room: BatchSpace },
): Promise<number | undefined> {
  const { accountId, createdAt, expiresAt } = batch;
  await queries.first('SELECT lock_stored(ARRAY[$1::text])', [accountId]);
  await queries.first('SELECT add_stored($1, second_of($2), $3)', [accountId, expiresAt, bytes]);
  if (quota !== null) {
    const row = await queries.first(hasRoomSql, [accountId, quota, createdAt]);
    if (row?.has_room !== true) return undefined;
  }
  const columns = {
    id: batch.id,
    collection: batch.collection,
    account_id: accountId,
    key_id: batch.keyId,
    mode: batch.mode,
    native: batch.isNative,
    host: batch.host,
    protocol_version: batch.protocolVersion,
    size: batch.size,
    created_at: createdAt,
    expires_at: expiresAt,
    deadline_at: batch.deadlineAt,
    cancel_initiated_at: batch.cancelInitiatedAt,
    ended_at: batch.endedAt,
    stored: bytes,
    node,
    staged: true,
  };
  const statement = new SqlStatement();
  const insertion = `${statement.insert('batch', columns)} RETURNING sequence`;
  return number(await queries.first(insertion, statement.values), 'sequence');
}

const markCanceledSql = `
  UPDATE batch SET cancel_initiated_at = $4
  WHERE id = $1 AND key_id = $2 AND collection = $3 AND NOT staged
    AND cancel_initiated_at IS NULL AND ended_at IS NULL
  RETURNING sequence`;

/** Marks the batch as canceled, once, and cancels its items without a lease. */
export async function cancelBatch(
  queries: Queries,
  { id, keyId, collection }: WantedBatch,
  now: number,
): Promise<void> {
  const row = await queries.first(markCanceledSql, [id, keyId, collection, now]);
  if (!row) return;
  await queries.first(`SELECT end_queued($1, 'canceled', true), announce('batch', $2)`, [
    Number(row.sequence),
    id,
  ]);
}

const countStatesSql = `
  SELECT jsonb_object_agg(state, items)::text AS states
  FROM (SELECT state, count(*) AS items FROM batch_item WHERE batch = $1 GROUP BY state) AS states`;

const markEndedSql = `
  WITH ended AS (
    UPDATE batch SET ended_at = $2, counts = $3 WHERE sequence = $1 AND ended_at IS NULL RETURNING id
  )
  SELECT announce('batch', id) FROM ended`;

/** Ends the batch with its final counts, once, if every item has a result. */
export async function endBatch(queries: Queries, sequence: number, now: number): Promise<boolean> {
  const row = await queries.first(countStatesSql, [sequence]);
  const counts = countsOf(statesOf(row ?? {}));
  if (counts.processing > 0) return false; // an item with a result keeps it, so the counts below are final
  return (await queries.first(markEndedSql, [sequence, now, JSON.stringify(counts)])) !== undefined;
}
