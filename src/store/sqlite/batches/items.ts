import type { FinishedJob, JobIdentity, JobResult } from '../../../base/jobs/job.ts';
import {
  type ClaimedItem,
  type ItemState,
  type NewItem,
  type RequestCounts,
  type ResultRow,
  unansweredCounts,
} from '../../../batches/stored/batch.ts';
import type { ClaimAsk, Claimed, ItemClaim, PutBack } from '../../../batches/stored/batch-store.ts';
import { foundText, nullableNumber, nullableText, number, text } from '../../row-columns.ts';
import type { Row, SqliteConnection } from '../sqlite-connection.ts';
import { addToBatch } from './add-to-batch.ts';

export function insertItems(
  connection: SqliteConnection,
  { sequence, first, items }: { sequence: number; first: number; items: readonly NewItem[] },
): void {
  for (const [index, { customId, requestId, params }] of items.entries()) {
    const place = { batch: sequence, number: first + index };
    connection.run(insertSql, { ...place, customId, requestId });
    connection.run(insertRequestSql, { ...place, params });
  }
}

/** Counts a batch's items by state. */
export function countItems(connection: SqliteConnection, sequence: number): RequestCounts {
  const counts = unansweredCounts(0);
  for (const { state, count } of connection.all(countStatesSql, { sequence }))
    counts[countedAs[state as ItemState]] += Number(count);
  return counts;
}

/** Claims items for each asker under a new attempt, and renews the leases of items at work. */
export function claimItems(connection: SqliteConnection, claim: ItemClaim): Claimed[] {
  for (const lease of claim.atWork) connection.run(renewSql, { ...lease, leaseUntil: claim.leaseUntil });
  return claim.asks.map((ask) => claimOf(connection, ask, claim));
}

function claimOf(
  connection: SqliteConnection,
  { sequence, limit, leaseUntil }: ClaimAsk,
  { now }: ItemClaim,
): Claimed {
  const rows = connection.all(selectQueuedSql, { sequence, now, limit });
  if (rows.length < limit)
    rows.push(...connection.all(selectLeftSql, { sequence, now, limit: limit - rows.length }));
  const items = rows.map((row): ClaimedItem => {
    const lease = { batch: sequence, number: number(row, 'number'), attempt: number(row, 'attempt') + 1 };
    // An item at a provider is not at work here, so the end of the server does not count against it.
    const isLeft = row.state === 'running' && row.submission === null;
    const deaths = number(row, 'deaths') + (isLeft ? 1 : 0);
    connection.run(takeSql, { sequence, number: lease.number, attempt: lease.attempt, deaths, leaseUntil });
    const params = selectParams(connection, sequence, lease.number) ?? '';
    return { ...itemOf(row), params, lease, deaths };
  });
  return { sequence, items, nextDueAt: rows.length < limit ? nextDueAt(connection, sequence) : now };
}

/** Returns an item's request as sent, or undefined if it was removed. */
export const selectParams = (
  connection: SqliteConnection,
  batch: number,
  number: number,
): string | undefined => foundText(connection.first(selectRequestSql, { batch, number }), 'params');

function nextDueAt(connection: SqliteConnection, sequence: number): number | null {
  const due = connection.first(nextDueSql, { sequence })?.due_at;
  return due === null || due === undefined ? null : Number(due);
}

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

/** Returns an item to the queue after an attempt without a result. */
export const putBackItem = (connection: SqliteConnection, { lease, dueAt, failed }: PutBack): void =>
  void connection.run(putBackSql, { ...lease, dueAt, failed: failed ? 1 : 0 });

/** Reports whether the item is at a provider and has no result. */
export const isItemAway = (connection: SqliteConnection, item: JobIdentity): boolean =>
  connection.first(selectAwaySql, item) !== undefined;

/** Selects the numbers of the submission's items without a result. */
export const selectItemsAway = (connection: SqliteConnection, submission: number): number[] =>
  connection.all(selectAllAwaySql, { submission }).map(({ number }) => Number(number));

/**
 * Cancels items without a lease and deletes their requests.
 * For items at a provider, cancellation is first requested there.
 */
export function cancelQueued(connection: SqliteConnection, sequence: number): void {
  addToBatch(connection, sequence, -bytesOf(connection.all(deleteUnsent, { sequence })));
  connection.run(cancelAllSql, { sequence });
}

/** Ends items without a lease, and deletes their requests. */
export function endQueued(connection: SqliteConnection, sequence: number, result: JobResult): void {
  addToBatch(connection, sequence, -bytesOf(connection.all(deleteQueued, { sequence })));
  connection.run(endAll, { sequence, result });
}

const bytesOf = (rows: readonly Row[]): number => rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);

/** Ends all leases. Runs at the start, when no item is at work. */
export const releaseLeases = (connection: SqliteConnection): void =>
  void connection.run("UPDATE batch_item SET due_at = 0 WHERE state = 'running'");

/** Returns items in order with their results: as many as fit, and at least one. */
export function selectResults(
  connection: SqliteConnection,
  { sequence, after, limit, bytes }: { sequence: number; after: number; limit: number; bytes: number },
): ResultRow[] {
  let room = bytes;
  let last = after;
  for (const row of connection.all(selectLengthsSql, { sequence, after, limit })) {
    room -= Number(row.bytes);
    if (room < 0 && last > after) break;
    last = Number(row.number);
  }
  return connection.all(selectLinesSql, { sequence, after, last }).map((row) => ({
    number: number(row, 'number'),
    customId: text(row, 'custom_id'),
    requestId: text(row, 'request_id'),
    result: text<ItemState>(row, 'state'),
    line: nullableText(row, 'line'),
  }));
}

/**
 * Deletes up to `limit` rows of a batch, and returns their number.
 * Items go first, so that no item starts without its request.
 */
export function deleteItems(connection: SqliteConnection, sequence: number, limit: number): number {
  let left = limit;
  for (const table of ['batch_item', 'batch_request', 'batch_result'] as const) {
    if (left > 0) left -= connection.run(deletions[table], { sequence, limit: left });
  }
  return limit - left;
}

const countedAs: Record<ItemState, keyof RequestCounts> = {
  queued: 'processing',
  running: 'processing',
  succeeded: 'succeeded',
  errored: 'errored',
  canceled: 'canceled',
  expired: 'expired',
};

const insertSql = `
  INSERT INTO batch_item (batch, number, custom_id, request_id, state)
  VALUES ($batch, $number, $customId, $requestId, 'queued')`;
const insertRequestSql =
  'INSERT INTO batch_request (batch, number, params) VALUES ($batch, $number, $params)';

const countStatesSql =
  'SELECT state, COUNT(*) AS count FROM batch_item WHERE batch = $sequence GROUP BY state';

const MINE = "batch = $batch AND number = $number AND attempt = $attempt AND state = 'running'";

const renewSql = `UPDATE batch_item SET due_at = $leaseUntil WHERE ${MINE}`;

const columns = 'number, custom_id, request_id, state, attempt, failures, deaths, submission';

/** The index has this order, so the query reads no more rows than the limit. */
const selectQueuedSql = `
  SELECT ${columns} FROM batch_item
  WHERE batch = $sequence AND state = 'queued' AND due_at <= $now ORDER BY deaths, number LIMIT $limit`;

const selectLeftSql = `
  SELECT ${columns} FROM batch_item
  WHERE batch = $sequence AND state = 'running' AND due_at <= $now ORDER BY deaths, number LIMIT $limit`;

const selectRequestSql = 'SELECT params FROM batch_request WHERE batch = $batch AND number = $number';

const takeSql = `
  UPDATE batch_item SET state = 'running', attempt = $attempt, deaths = $deaths, due_at = $leaseUntil
  WHERE batch = $sequence AND number = $number`;

const nextDueSql = `
  SELECT MIN(due_at) AS due_at FROM batch_item WHERE batch = $sequence AND state IN ('queued', 'running')`;

const finishSql = `UPDATE batch_item SET state = $result WHERE ${MINE}`;
const insertResultSql = 'INSERT INTO batch_result (batch, number, line) VALUES ($batch, $number, $line)';

const putBackSql = `
  UPDATE batch_item SET
    state = 'queued', due_at = $dueAt, failures = failures + $failed,
    submission = CASE WHEN $failed THEN NULL ELSE submission END
  WHERE ${MINE}`;

const AWAY = "submission IS NOT NULL AND state IN ('queued', 'running')";
const selectAwaySql = `SELECT 1 FROM batch_item WHERE batch = $batch AND number = $number AND ${AWAY}`;
const selectAllAwaySql = `
  SELECT number FROM batch_item
  WHERE batch = (SELECT batch FROM native_submission WHERE id = $submission)
    AND submission = $submission AND ${AWAY}`;

const cancelAllSql = `
  UPDATE batch_item SET state = 'canceled'
  WHERE batch = $sequence AND state = 'queued' AND submission IS NULL`;
const deleteRequestSql = `
  DELETE FROM batch_request WHERE batch = $batch AND number = $number RETURNING octet_length(params) AS bytes`;

const deleteWhere = (condition: string): string => `
  DELETE FROM batch_request
  WHERE batch = $sequence AND number IN (SELECT number FROM batch_item WHERE batch = $sequence AND ${condition})
  RETURNING octet_length(params) AS bytes`;
const deleteQueued = deleteWhere("state = 'queued'");
const deleteUnsent = deleteWhere("state = 'queued' AND submission IS NULL");

const endAll = "UPDATE batch_item SET state = $result WHERE batch = $sequence AND state = 'queued'";

const withLines = `
  FROM batch_item AS item LEFT JOIN batch_result AS result
    ON result.batch = item.batch AND result.number = item.number
  WHERE item.batch = $sequence AND item.number > $after`;

const selectLengthsSql = `
  SELECT item.number, coalesce(octet_length(line), 0) AS bytes ${withLines} ORDER BY item.number LIMIT $limit`;

const selectLinesSql = `
  SELECT item.number, custom_id, request_id, state, line ${withLines} AND item.number <= $last ORDER BY item.number`;

const deleteFrom = (table: string, key: string): string => `
  DELETE FROM ${table} WHERE batch = $sequence AND ${key} IN
    (SELECT ${key} FROM ${table} WHERE batch = $sequence LIMIT $limit)`;
const deletions = {
  batch_request: deleteFrom('batch_request', 'number'),
  batch_result: deleteFrom('batch_result', 'number'),
  batch_item: deleteFrom('batch_item', 'number'),
};

const itemOf = (row: Row) => ({
  customId: text(row, 'custom_id'),
  requestId: text(row, 'request_id'),
  failures: number(row, 'failures'),
  submission: nullableNumber(row, 'submission'),
});
