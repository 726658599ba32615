import type { ListedResponse, ResponsePage } from '../../../inference/responses/response-store.ts';
import { listedResponseOfRow } from '../../response-rows.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';

const listedSql = `
  SELECT response.id, key_id, created_at, expires_at, model, previous_id, turns,
    coalesce(response.stored, 0) + coalesce(turn.stored, 0) AS bytes
  FROM response JOIN turn ON turn.id = response.id
  WHERE response.account_id = $accountId AND expires_at > $now`;

const selectPage = `${listedSql} AND (created_at, response.id) < ($at, $below)
  ORDER BY created_at DESC, response.id DESC LIMIT $limit`;

/** Lists an account's responses, newest first. Returns undefined if `after` is not the id of one of them. */
export function selectListedResponses(
  connection: SqliteConnection,
  { accountId, now, limit, after }: ResponsePage,
): ListedResponse[] | undefined {
  const last =
    after === undefined ? undefined : selectListedResponse(connection, { accountId, now, id: after });
  if (after !== undefined && !last) return undefined;
  const bounds = { at: last?.createdAt ?? Number.MAX_SAFE_INTEGER, below: last?.id ?? '' };
  return connection.all(selectPage, { accountId, now, limit, ...bounds }).map(listedResponseOfRow);
}

const selectOne = `${listedSql} AND response.id = $id`;

/** Returns the account's response, or undefined if it does not exist or has expired. */
export function selectListedResponse(
  connection: SqliteConnection,
  wanted: { accountId: string; now: number; id: string },
): ListedResponse | undefined {
  const row = connection.first(selectOne, wanted);
  return row && listedResponseOfRow(row);
}
