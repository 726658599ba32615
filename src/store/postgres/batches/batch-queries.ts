import type { CountedBatch, ItemState, ResultRow } from '../../../batches/stored/batch.ts';
import type {
  BatchPage,
  InspectionPage,
  RunningBatch,
  WantedBatch,
} from '../../../batches/stored/batch-store.ts';
import { runningBatchOfRow } from '../../batch-rows.ts';
import { nullableText, number, text } from '../../row-columns.ts';
import type { PostgresRow } from '../database.ts';
import type { Queries } from '../queries.ts';
import { COUNTED, type CountedRow, countedRow, RETRIES, statesOf } from './batch-rows.ts';

const OWN = 'key_id = $2 AND collection = $3 AND NOT staged';

const selectOneSql = `SELECT ${COUNTED} FROM batch WHERE id = $1 AND ${OWN}`;

/** Reads a batch of a key. */
export async function readBatch(queries: Queries, wanted: WantedBatch): Promise<CountedRow | undefined> {
  const row = await queries.first(selectOneSql, [wanted.id, wanted.keyId, wanted.collection]);
  return row && countedRow(row);
}

const listedSql = `
  SELECT ${COUNTED} FROM batch
  WHERE key_id = $1 AND collection = $2 AND NOT staged AND expires_at > $3 AND sequence > $4 AND sequence < $5`;
const selectDown = `${listedSql} ORDER BY sequence DESC LIMIT $6`;
const selectUp = `${listedSql} ORDER BY sequence LIMIT $6`;

/** Lists newest first: the page after `after`, or the last batches before `before`. */
export async function readBatches(
  queries: Queries,
  page: BatchPage,
): Promise<{ items: CountedBatch[]; hasMore: boolean } | { fault: 'after' | 'before' }> {
  const { keyId, collection, now, limit } = page;
  const bounds = { after: Number.MAX_SAFE_INTEGER, before: 0 };
  for (const name of ['after', 'before'] as const) {
    const id = page[name];
    if (id === undefined) continue;
    const found = await readBatch(queries, { id, keyId, collection });
    if (!found || found.expiresAt <= now) return { fault: name };
    bounds[name] = found.sequence;
  }
  const isBackwards = page.before !== undefined && page.after === undefined;
  const values = [keyId, collection, now, bounds.before, bounds.after, limit + 1];
  const rows = await queries.all(isBackwards ? selectUp : selectDown, values);
  const items = rows.slice(0, limit).map(countedRow);
  return { items: isBackwards ? items.reverse() : items, hasMore: rows.length > limit };
}

const selectAnySql = `SELECT ${COUNTED}, ${RETRIES} FROM batch WHERE id = $1 AND NOT staged`;

export async function readInspected(queries: Queries, id: string) {
  const row = await queries.first(selectAnySql, [id]);
  return row && inspected(row);
}

const selectWhere = (condition: string): string => `
  SELECT ${COUNTED}, ${RETRIES} FROM batch
  WHERE ${condition} AND expires_at > $1 AND sequence < $2
    AND ($3::boolean IS NULL OR (ended_at IS NOT NULL) = $3)
  ORDER BY sequence DESC LIMIT $4`;
const selectAll = selectWhere('NOT staged');
const selectOfAccount = selectWhere('account_id = $5 AND NOT staged');

/** Lists the batches of all keys, newest first. Returns undefined if `after` is not the id of a batch. */
export async function readAllInspected(queries: Queries, page: InspectionPage) {
  const { now, limit, after, isEnded = null, accountId } = page;
  const last = after === undefined ? undefined : await queries.first(selectAnySql, [after]);
  if (after !== undefined && (!last || Number(last.expires_at) <= now)) return undefined;
  if (accountId !== undefined && last && last.account_id !== accountId) return undefined;
  const below = last ? Number(last.sequence) : Number.MAX_SAFE_INTEGER;
  const values = [now, below, isEnded, limit + 1];
  const rows =
    accountId === undefined
      ? await queries.all(selectAll, values)
      : await queries.all(selectOfAccount, [...values, accountId]);
  return { items: rows.slice(0, limit).map(inspected), hasMore: rows.length > limit };
}

const inspected = (row: PostgresRow) => ({
  ...countedRow(row),
  retries: number(row, 'retries'),
  atWork: statesOf(row).running ?? 0,
});

const selectChargedSql = `
  SELECT coalesce(sum((entry.text::json ->> 5)::bigint), 0)::bigint AS microcredits
  FROM batch JOIN batch_item ON batch_item.batch = batch.sequence
    JOIN entry ON entry.id = 'ent_' || substr(request_id, strpos(request_id, '_') + 1)
  WHERE batch.id = $1`;

/** Returns the charges of the batch's items. Each item has at most one entry in the ledger. */
export const readCharged = async (queries: Queries, id: string): Promise<number> =>
  Number((await queries.first(selectChargedSql, [id]))?.microcredits ?? 0);

const runningSql = 'SELECT * FROM batch WHERE ended_at IS NULL AND NOT staged AND NOT emptied';

export const readRunning = async (queries: Queries): Promise<RunningBatch[]> =>
  (await queries.all(`${runningSql} ORDER BY sequence`)).map(runningBatchOfRow);

export async function readOneRunning(queries: Queries, id: string): Promise<RunningBatch | undefined> {
  const row = await queries.first(`${runningSql} AND id = $1`, [id]);
  return row && runningBatchOfRow(row);
}

const selectLinesSql = `
  SELECT number, custom_id, request_id, state, line FROM (
    SELECT item.number, custom_id, request_id, state, line,
      row_number() OVER in_order AS place, sum(octet_length(line)) OVER in_order AS bytes
    FROM (
      SELECT batch_item.* FROM batch_item JOIN batch ON batch.sequence = batch_item.batch
      WHERE batch.id = $1 AND number > $2 ORDER BY number LIMIT $3
    ) AS item
    LEFT JOIN batch_result AS result ON result.batch = item.batch AND result.number = item.number
    WINDOW in_order AS (ORDER BY item.number)
  ) AS measured
  WHERE place = 1 OR coalesce(bytes, 0) <= $4 ORDER BY number`;

/** Reads results by position: as many as fit, and at least one. */
export async function readLines(
  queries: Queries,
  id: string,
  { after, limit, bytes }: { after: number; limit: number; bytes: number },
): Promise<ResultRow[]> {
  return (await queries.all(selectLinesSql, [id, after, limit, bytes])).map((row) => ({
    number: number(row, 'number'),
    customId: text(row, 'custom_id'),
    requestId: text(row, 'request_id'),
    result: text<ItemState>(row, 'state'),
    line: nullableText(row, 'line'),
  }));
}
