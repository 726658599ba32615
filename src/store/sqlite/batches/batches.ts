import type { Batch, CountedBatch, RequestCounts } from '../../../batches/stored/batch.ts';
import type {
  BatchPage,
  BatchSpace,
  InspectionPage,
  RunningBatch,
  WantedBatch,
} from '../../../batches/stored/batch-store.ts';
import { runningBatchOfRow } from '../../batch-rows.ts';
import { expiryStep } from '../../expiry-step.ts';
import type { Row, SqliteConnection } from '../sqlite-connection.ts';
import { addStored, hasRoom, removedRows, removeStored } from '../stored-bytes.ts';
import { countItems } from './items.ts';

/** A batch in its current state, with its row number. */
export type KnownBatch = CountedBatch & { sequence: number };

const insertBatchSql = `
  INSERT INTO batch (id, collection, account_id, key_id, mode, native, host, protocol_version, size, created_at, expires_at, deadline_at,
    cancel_initiated_at, ended_at, counts, staged, emptied, stored)
  VALUES ($id, $collection, $accountId, $keyId, $mode, $native, $host, $protocolVersion, $size, $createdAt, $expiresAt, $deadlineAt,
    $cancelInitiatedAt, $endedAt, NULL, 1, 0, $stored)`;

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

const IS_OWN_BATCH = 'key_id = $keyId AND collection = $collection AND staged = 0';

const selectBatchSql = `SELECT * FROM batch WHERE id = $id AND ${IS_OWN_BATCH}`;

/** Returns the key's batch, as long as its row is kept. */
export function selectBatch(
  connection: SqliteConnection,
  { id, keyId, collection }: WantedBatch,
): KnownBatch | undefined {
  const row = connection.first(selectBatchSql, { id, keyId, collection });
  return row && knownBatch(connection, row);
}

const selectAnySql = 'SELECT * FROM batch WHERE id = $id AND staged = 0';

/** Returns the batch of any key, with its failed attempts. */
export function selectInspected(
  connection: SqliteConnection,
  id: string,
): (KnownBatch & { retries: number }) | undefined {
  const row = connection.first(selectAnySql, { id });
  return row && inspected(connection, row);
}

const sumFailuresSql = 'SELECT SUM(failures) AS failures FROM batch_item WHERE batch = $sequence';

function inspected(connection: SqliteConnection, row: Row): KnownBatch & { retries: number } {
  const batch = knownBatch(connection, row);
  const failed = connection.first(sumFailuresSql, { sequence: batch.sequence })?.failures;
  return { ...batch, retries: Number(failed ?? 0) };
}

const selectWhere = (condition: string): string => `
  SELECT * FROM batch
  WHERE ${condition} AND expires_at > $now AND sequence < $below AND ($ended IS NULL OR (ended_at IS NOT NULL) = $ended)
  ORDER BY sequence DESC LIMIT $limit`;
const selectAll = selectWhere('staged = 0');
const selectOfAccount = selectWhere('account_id = $accountId AND staged = 0');

/** Lists the batches of all keys, newest first. Returns undefined if `after` is not the id of a batch. */
export function selectAllInspected(
  connection: SqliteConnection,
  { now, limit, after, isEnded, accountId }: InspectionPage,
): (KnownBatch & { retries: number })[] | undefined {
  const last = after === undefined ? undefined : connection.first(selectAnySql, { id: after });
  if (after !== undefined && (!last || Number(last.expires_at) <= now)) return undefined;
  if (accountId !== undefined && last && last.account_id !== accountId) return undefined;
  const below = last ? Number(last.sequence) : Number.MAX_SAFE_INTEGER;
  const page = { now, below, ended: isEnded === undefined ? null : Number(isEnded), limit };
  const rows =
    accountId === undefined
      ? connection.all(selectAll, page)
      : connection.all(selectOfAccount, { ...page, accountId });
  return rows.map((row) => inspected(connection, row));
}

const selectChargedSql = `
  SELECT coalesce(SUM(json_extract(entry.text, '$[5]')), 0) AS microcredits
  FROM batch JOIN batch_item ON batch_item.batch = batch.sequence
    JOIN entry ON entry.id = 'ent_' || substr(request_id, instr(request_id, '_') + 1)
  WHERE batch.id = $id`;

/** Returns the charges of the batch's items. Each item has at most one entry in the ledger. */
export const sumCharged = (connection: SqliteConnection, id: string): number =>
  Number(connection.first(selectChargedSql, { id })?.microcredits ?? 0);

const listedSql = `
  SELECT * FROM batch
  WHERE ${IS_OWN_BATCH} AND expires_at > $now AND sequence > $above AND sequence < $below`;
const selectDown = `${listedSql} ORDER BY sequence DESC LIMIT $limit`;
const selectUp = `${listedSql} ORDER BY sequence LIMIT $limit`;

/** Lists newest first: the page after `after`, or the last batches before `before`. */
export function selectBatches(
  connection: SqliteConnection,
  page: BatchPage,
): KnownBatch[] | { fault: 'after' | 'before' } {
  const { keyId, collection, now, limit } = page;
  const bounds = { above: 0, below: Number.MAX_SAFE_INTEGER };
  for (const name of ['after', 'before'] as const) {
    const id = page[name];
    if (id === undefined) continue;
    const found = selectBatch(connection, { id, keyId, collection });
    if (!found || found.expiresAt <= now) return { fault: name };
    bounds[name === 'after' ? 'below' : 'above'] = found.sequence;
  }
  const backwards = page.before !== undefined && page.after === undefined;
  const rows = connection.all(backwards ? selectUp : selectDown, {
    keyId,
    collection,
    now,
    limit,
    ...bounds,
  });
  const found = rows.map((row) => knownBatch(connection, row));
  return backwards ? found.reverse() : found;
}

const runningSql = `
  SELECT * FROM batch WHERE ended_at IS NULL AND staged = 0 AND emptied = 0`;

/** Returns all batches that are not ended. */
export const selectRunning = (connection: SqliteConnection): RunningBatch[] =>
  connection.all(`${runningSql} ORDER BY sequence`).map(runningBatchOfRow);

export function selectRunningBatch(connection: SqliteConnection, id: string): RunningBatch | undefined {
  const row = connection.first(`${runningSql} AND batch.id = $id`, { id });
  return row && runningBatchOfRow(row);
}

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

const expiredSql = `
  SELECT sequence FROM batch WHERE emptied = 0 AND expires_at <= $now ORDER BY expires_at LIMIT $limit`;

/** Selects the numbers of expired batches that still have data, oldest first. */
export const selectExpired = (connection: SqliteConnection, now: number, limit: number): number[] =>
  connection.all(expiredSql, { now, limit }).map(({ sequence }) => Number(sequence));

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

/** Numbers of hidden batches: never shown, or about to be removed. */
export const selectStaged = (connection: SqliteConnection): number[] =>
  connection.all('SELECT sequence FROM batch WHERE staged = 1').map(({ sequence }) => Number(sequence));

/** The counts of an ended batch are final. Before the end they are computed from its items. */
function knownBatch(connection: SqliteConnection, row: Row): KnownBatch {
  const batch = runningBatchOfRow(row);
  const counts =
    row.counts === null
      ? countItems(connection, batch.sequence)
      : (JSON.parse(String(row.counts)) as RequestCounts);
  return { ...batch, counts };
}
