import type { Batch } from '../../../batches/stored/batch.ts';
import type { BatchSpace } from '../../../batches/stored/batch-store.ts';
import { expiryStep } from '../../expiry-step.ts';
import type { Row, SqliteConnection } from '../sqlite-connection.ts';
import { addStored, hasRoom, removedRows, removeStored } from '../stored-bytes.ts';

const insertBatchSql = `
  INSERT INTO batch (id, collection, account_id, key_id, mode, native, host, protocol_version, size,
    created_at, expires_at, deadline_at, cancel_initiated_at, ended_at, counts, staged, emptied, stored)
  VALUES ($id, $collection, $accountId, $keyId, $mode, $native, $host, $protocolVersion, $size,
    $createdAt, $expiresAt, $deadlineAt, $cancelInitiatedAt, $endedAt, NULL, 1, 0, $stored)`;

/**
 * Inserts a hidden batch, counts all its items, and returns its number.
 * Returns undefined if the account has no space.
 */
export function insertBatch(
  connection: SqliteConnection,
  batch: Batch,
  { bytes: stored, quota }: BatchSpace,
): number | undefined {
  const { isNative, ...columns } = batch;
  const { accountId, createdAt } = batch;
  if (!hasRoom(connection, { accountId, bytes: stored, quota, now: createdAt })) return undefined;
  addStored(connection, { accountId, until: expiryStep(batch), bytes: stored });
  connection.run(insertBatchSql, { ...columns, native: isNative ? 1 : 0, stored });
  return Number(connection.first('SELECT last_insert_rowid() AS sequence')?.sequence);
}

/** Makes the batch visible. */
export const showBatch = (connection: SqliteConnection, sequence: number): boolean =>
  connection.run('UPDATE batch SET staged = 0 WHERE sequence = $sequence AND staged = 1', { sequence }) > 0;

/** Hides the batch. The next start removes its remaining rows. */
export const hideBatch = (connection: SqliteConnection, sequence: number): void =>
  void connection.run('UPDATE batch SET staged = 1 WHERE sequence = $sequence', { sequence });

const cancelSql = `
  UPDATE batch SET cancel_initiated_at = $now
  WHERE sequence = $sequence AND cancel_initiated_at IS NULL AND ended_at IS NULL`;

/** Marks the batch as canceled, once. No further item starts. */
export const markCanceled = (connection: SqliteConnection, sequence: number, now: number): void =>
  void connection.run(cancelSql, { sequence, now });

const markEndSql = `
  UPDATE batch SET ended_at = $now, counts = $counts WHERE sequence = $sequence AND ended_at IS NULL`;

/** Ends the batch with its final counts, once. */
export const markEnded = (
  connection: SqliteConnection,
  end: { sequence: number; now: number; counts: string },
): boolean => connection.run(markEndSql, end) > 0;

function countRemoved(connection: SqliteConnection, rows: readonly Row[]): void {
  const dated = rows.map((row) => {
    const life = { createdAt: Number(row.created_at), expiresAt: Number(row.expires_at) };
    return { ...row, until: expiryStep(life) };
  });
  removeStored(connection, removedRows(dated));
}

const COUNTED = 'account_id, stored, created_at, expires_at';

const deleteBatchSql = `DELETE FROM batch WHERE sequence = $sequence RETURNING ${COUNTED}`;

export const deleteBatchRow = (connection: SqliteConnection, sequence: number): void =>
  countRemoved(connection, connection.all(deleteBatchSql, { sequence }));

const selectCountedSql = `SELECT ${COUNTED} FROM batch WHERE sequence = $sequence`;

/** Marks that only the row of the batch is left. */
export function markEmptied(connection: SqliteConnection, sequence: number): void {
  countRemoved(connection, connection.all(selectCountedSql, { sequence }));
  connection.run('UPDATE batch SET emptied = 1, stored = 0 WHERE sequence = $sequence', { sequence });
}

const forgetSql = `
  DELETE FROM batch WHERE sequence IN
    (SELECT sequence FROM batch WHERE emptied = 1 AND expires_at <= $before LIMIT $limit)`;

/** Deletes rows of batches that expired before a time, and returns their number. */
export const forgetBatches = (connection: SqliteConnection, before: number, limit: number): number =>
  connection.run(forgetSql, { before, limit });
