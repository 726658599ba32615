import type { FinishedJob, JobIdentity, JobResult } from '../../../base/jobs/job.ts';
import {
  type ItemState,
  type NewItem,
  type RequestCounts,
  unansweredCounts,
} from '../../../batches/stored/batch.ts';
import type { PutBack } from '../../../batches/stored/batch-store.ts';
import { foundText } from '../../row-columns.ts';
import type { Row, SqliteConnection } from '../sqlite-connection.ts';
import { addToBatch } from './add-to-batch.ts';

const insertItemSql = `
  INSERT INTO batch_item (batch, number, custom_id, request_id, state)
  VALUES ($batch, $number, $customId, $requestId, 'queued')`;
const insertRequestSql =
  'INSERT INTO batch_request (batch, number, params) VALUES ($batch, $number, $params)';

/** Inserts the items of a batch from the position `first` on. */
export function insertItems(
  connection: SqliteConnection,
  { sequence, first, items }: { sequence: number; first: number; items: readonly NewItem[] },
): void {
  for (const [index, { customId, requestId, params }] of items.entries()) {
    const place = { batch: sequence, number: first + index };
    connection.run(insertItemSql, { ...place, customId, requestId });
    connection.run(insertRequestSql, { ...place, params });
  }
}

const countedAs: Record<ItemState, keyof RequestCounts> = {
  queued: 'processing',
  running: 'processing',
  succeeded: 'succeeded',
  errored: 'errored',
  canceled: 'canceled',
  expired: 'expired',
};

const countStatesSql =
  'SELECT state, COUNT(*) AS count FROM batch_item WHERE batch = $sequence GROUP BY state';

/** Counts a batch's items by state. */
export function countItems(connection: SqliteConnection, sequence: number): RequestCounts {
  const counts = unansweredCounts(0);
  for (const { state, count } of connection.all(countStatesSql, { sequence }))
    counts[countedAs[state as ItemState]] += Number(count);
  return counts;
}

const selectRequestSql = 'SELECT params FROM batch_request WHERE batch = $batch AND number = $number';

/** Returns an item's request as sent, or undefined if it was removed. */
export const selectParams = (
  connection: SqliteConnection,
  batch: number,
  number: number,
): string | undefined => foundText(connection.first(selectRequestSql, { batch, number }), 'params');

/** The condition of an item whose latest attempt is the lease's. */
export const OF_LEASE = "batch = $batch AND number = $number AND attempt = $attempt AND state = 'running'";

const finishSql = `UPDATE batch_item SET state = $result WHERE ${OF_LEASE}`;
const insertResultSql = 'INSERT INTO batch_result (batch, number, line) VALUES ($batch, $number, $line)';

const deleteRequestSql = `
  DELETE FROM batch_request WHERE batch = $batch AND number = $number RETURNING octet_length(params) AS bytes`;

/**
 * Writes the result of an attempt in place of the request, if the attempt still counts. The caller writes the
 * charge in the same transaction.
 */
export function finishItem(connection: SqliteConnection, { lease, result, line }: FinishedJob): boolean {
  if (connection.run(finishSql, { ...lease, result }) === 0) return false;
  const { batch, number } = lease;
  if (line !== null) connection.run(insertResultSql, { batch, number, line });
  const requestBytes = bytesOf(connection.all(deleteRequestSql, { batch, number }));
  addToBatch(connection, batch, (line === null ? 0 : Buffer.byteLength(line)) - requestBytes);
  return true;
}

const putBackSql = `
  UPDATE batch_item SET
    state = 'queued', due_at = $dueAt, failures = failures + $failed,
    submission = CASE WHEN $failed THEN NULL ELSE submission END
  WHERE ${OF_LEASE}`;

/** Returns an item to the queue after an attempt without a result. */
export const putBackItem = (connection: SqliteConnection, { lease, dueAt, failed }: PutBack): void =>
  void connection.run(putBackSql, { ...lease, dueAt, failed: failed ? 1 : 0 });

/** The condition of an item that a provider works on. */
const AWAY = "submission IS NOT NULL AND state IN ('queued', 'running')";
const selectAwaySql = `SELECT 1 FROM batch_item WHERE batch = $batch AND number = $number AND ${AWAY}`;

/** Reports whether the item is at a provider and has no result. */
export const isItemAway = (connection: SqliteConnection, item: JobIdentity): boolean =>
  connection.first(selectAwaySql, item) !== undefined;

const selectAllAwaySql = `
  SELECT number FROM batch_item
  WHERE batch = (SELECT batch FROM native_submission WHERE id = $submission)
    AND submission = $submission AND ${AWAY}`;

/** Selects the numbers of the submission's items without a result. */
export const selectItemsAway = (connection: SqliteConnection, submission: number): number[] =>
  connection.all(selectAllAwaySql, { submission }).map(({ number }) => Number(number));

const cancelAllSql = `
  UPDATE batch_item SET state = 'canceled'
  WHERE batch = $sequence AND state = 'queued' AND submission IS NULL`;

const deleteWhere = (condition: string): string => `
  DELETE FROM batch_request
  WHERE batch = $sequence AND number IN (SELECT number FROM batch_item WHERE batch = $sequence AND ${condition})
  RETURNING octet_length(params) AS bytes`;

const deleteUnsent = deleteWhere("state = 'queued' AND submission IS NULL");

/**
 * Cancels items without a lease and deletes their requests.
 * For items at a provider, cancellation is first requested there.
 */
export function cancelQueued(connection: SqliteConnection, sequence: number): void {
  addToBatch(connection, sequence, -bytesOf(connection.all(deleteUnsent, { sequence })));
  connection.run(cancelAllSql, { sequence });
}

const deleteQueued = deleteWhere("state = 'queued'");
const endAll = "UPDATE batch_item SET state = $result WHERE batch = $sequence AND state = 'queued'";

/** Ends items without a lease, and deletes their requests. */
export function endQueued(connection: SqliteConnection, sequence: number, result: JobResult): void {
  addToBatch(connection, sequence, -bytesOf(connection.all(deleteQueued, { sequence })));
  connection.run(endAll, { sequence, result });
}

const bytesOf = (rows: readonly Row[]): number => rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);

/** Ends all leases. Runs at the start, when no item is at work. */
export const releaseLeases = (connection: SqliteConnection): void =>
  void connection.run("UPDATE batch_item SET due_at = 0 WHERE state = 'running'");
