import type { CountedBatch, RequestCounts } from '../../../batches/stored/batch.ts';
import type {
  BatchPage,
  InspectionPage,
  RunningBatch,
  WantedBatch,
} from '../../../batches/stored/batch-store.ts';
import { runningBatchOfRow } from '../../batch-rows.ts';
import type { Row, SqliteConnection } from '../sqlite-connection.ts';
import { countItems } from './items.ts';

/** A batch in its current state, with its row number. */
export type KnownBatch = CountedBatch & { sequence: number };

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
  WHERE ${condition} AND expires_at > $now AND sequence < $below
    AND ($ended IS NULL OR (ended_at IS NOT NULL) = $ended)
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
  const isBackwards = page.before !== undefined && page.after === undefined;
  const sql = isBackwards ? selectUp : selectDown;
  const rows = connection.all(sql, { keyId, collection, now, limit, ...bounds });
  const found = rows.map((row) => knownBatch(connection, row));
  return isBackwards ? found.reverse() : found;
}

const runningSql = 'SELECT * FROM batch WHERE ended_at IS NULL AND staged = 0 AND emptied = 0';

/** Returns all batches that are not ended. */
export const selectRunning = (connection: SqliteConnection): RunningBatch[] =>
  connection.all(`${runningSql} ORDER BY sequence`).map(runningBatchOfRow);

export function selectRunningBatch(connection: SqliteConnection, id: string): RunningBatch | undefined {
  const row = connection.first(`${runningSql} AND batch.id = $id`, { id });
  return row && runningBatchOfRow(row);
}

const expiredSql = `
  SELECT sequence FROM batch WHERE emptied = 0 AND expires_at <= $now ORDER BY expires_at LIMIT $limit`;

/** Selects the numbers of expired batches that still have data, oldest first. */
export const selectExpired = (connection: SqliteConnection, now: number, limit: number): number[] =>
  connection.all(expiredSql, { now, limit }).map(({ sequence }) => Number(sequence));

/** Selects the numbers of hidden batches, which were never shown or are about to be removed. */
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
