import { HOUR_MS } from '../../base/lib/units.ts';
import type { GroupQuery, KeptGroup } from '../../watch/requests/request-store.ts';
import { groupOfRow } from '../group-of-row.ts';
import type { PackedGroup } from '../request-packing.ts';
import { number, text } from '../row-columns.ts';
import type { Row, SqliteConnection } from './sqlite-connection.ts';

const insertGroupSql = `
  INSERT INTO request_group (account_id, ended_at, first_id, last_id, count, lines)
  VALUES (?, ?, ?, ?, ?, ?)`;

const addToCountSql = `
  INSERT INTO request_count (account_id, kept) VALUES (?, ?)
  ON CONFLICT (account_id) DO UPDATE SET kept = kept + excluded.kept
  RETURNING kept`;

const selectOldestSql = `
  SELECT sequence, account_id, count FROM request_group
  WHERE account_id = ? ORDER BY sequence LIMIT 1`;

/** Adds a group, and removes the oldest groups of its account while it has more than `limit` records. */
export function insertRequests(connection: SqliteConnection, group: PackedGroup, limit: number): void {
  const { accountId, endedAt, firstId, lastId, count, lines } = group;
  connection.run(insertGroupSql, [accountId, endedAt, firstId, lastId, count, lines]);
  const row = connection.first(addToCountSql, [accountId, count]);
  let over = Number(row?.kept ?? 0) - limit;
  while (over > 0) {
    const oldest = connection.first(selectOldestSql, [accountId]);
    if (!oldest) return;
    removeGroup(connection, oldest);
    over -= number(oldest, 'count');
  }
}

/** A group is stored within a moment of its end. An hour covers every delay, and a clock that is set. */
const LATEST_MS = HOUR_MS;

/** Without a lower bound, a search that finds few groups would read all earlier ones. */
const inTime = `
  sequence < $before AND sequence > max($after, coalesce(
    (SELECT sequence FROM request_group INDEXED BY request_by_end WHERE ended_at < $endedFrom - ${LATEST_MS}
     ORDER BY ended_at DESC LIMIT 1), 0))
  AND ended_at >= $endedFrom AND ended_at < $until`;

const selectGroupsSql = `
  SELECT * FROM request_group NOT INDEXED WHERE ${inTime} ORDER BY sequence DESC LIMIT $limit`;

const selectOfAccountSql = `
  SELECT * FROM request_group INDEXED BY request_by_account
  WHERE account_id = $accountId AND ${inTime} ORDER BY sequence DESC LIMIT $limit`;

/** The plus sign keeps the condition on the sequence from choosing the index. */
const selectByIdSql = `
  SELECT * FROM request_group INDEXED BY request_by_end
  WHERE ended_at >= $endedFrom AND ended_at < $until AND first_id <= $id AND last_id >= $id
    AND +sequence < $before AND +sequence > $after
  ORDER BY sequence DESC LIMIT $limit`;

export function selectRequests(connection: SqliteConnection, query: GroupQuery): KeptGroup[] {
  const { accountId, before = Number.MAX_SAFE_INTEGER, after = 0, endedFrom, endedBefore, id, limit } = query;
  const until = endedBefore ?? Number.MAX_SAFE_INTEGER;
  const times = { before, after, endedFrom, until, limit };
  if (id !== undefined) return connection.all(selectByIdSql, { ...times, id }).map(groupOfRow);
  if (accountId === undefined) return connection.all(selectGroupsSql, times).map(groupOfRow);
  return connection.all(selectOfAccountSql, { ...times, accountId }).map(groupOfRow);
}

const selectExpiredSql = `
  SELECT sequence, account_id, count FROM request_group INDEXED BY request_by_end
  WHERE ended_at < ? ORDER BY ended_at LIMIT ?`;

export function sweepRequests(
  connection: SqliteConnection,
  { endedBefore, limit }: { endedBefore: number; limit: number },
): number {
  const expired = connection.all(selectExpiredSql, [endedBefore, limit]);
  for (const row of expired) removeGroup(connection, row);
  return expired.length;
}

const subtractFromCountSql = 'UPDATE request_count SET kept = kept - ? WHERE account_id = ?';

/** Deletes a group, and subtracts its records from the count of its account. */
function removeGroup(connection: SqliteConnection, row: Row): void {
  const accountId = text(row, 'account_id');
  connection.run('DELETE FROM request_group WHERE sequence = ?', [number(row, 'sequence')]);
  connection.run(subtractFromCountSql, [number(row, 'count'), accountId]);
  connection.run('DELETE FROM request_count WHERE account_id = ? AND kept <= 0', [accountId]);
}
