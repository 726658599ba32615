import type { ListedResponse, ResponsePage } from '../../../inference/responses/response-store.ts';
import { pageOf } from '../../page-of.ts';
import { listedResponseOfRow } from '../../response-rows.ts';
import type { Queries } from '../queries.ts';
import { storableId } from './storable-id.ts';

const listedSql = `
  SELECT response.id, key_id, created_at, expires_at, model, previous_id, turns,
    coalesce(response.stored, 0) + coalesce(turn.stored, 0) AS bytes
  FROM response JOIN turn ON turn.id = response.id
  WHERE response.account_id = $1 AND expires_at > $2::bigint`;

const selectPage = `${listedSql} AND (created_at, response.id) < ($3::bigint, $4)
  ORDER BY created_at DESC, response.id DESC LIMIT $5`;

/** Lists an account's responses, newest first. Returns undefined if `after` is not the id of one of them. */
export async function readListedResponses(
  queries: Queries,
  { accountId, now, limit, after }: ResponsePage,
): Promise<{ items: ListedResponse[]; hasMore: boolean } | undefined> {
  const last =
    after === undefined ? undefined : await readListedResponse(queries, { accountId, now, id: after });
  if (after !== undefined && !last) return undefined;
  const bounds = [last?.createdAt ?? Number.MAX_SAFE_INTEGER, last?.id ?? ''];
  const rows = await queries.all(selectPage, [accountId, now, ...bounds, limit + 1]);
  return pageOf(rows.map(listedResponseOfRow), limit);
}

const selectOne = `${listedSql} AND response.id = $3`;

/** Returns the account's response, or undefined if it does not exist or has expired. */
export async function readListedResponse(
  queries: Queries,
  { accountId, now, id }: { accountId: string; now: number; id: string },
): Promise<ListedResponse | undefined> {
  const row = await queries.first(selectOne, [accountId, now, storableId(id)]);
  return row && listedResponseOfRow(row);
}
