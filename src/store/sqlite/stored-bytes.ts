import type { Connection, Row } from './connection.ts';

/** Counts what an account has stored from now on, or no longer. Rows of before have no account. */
export function addStored(connection: Connection, accountId: string | null, bytes: number): void {
  if (accountId !== null && bytes !== 0) connection.run(add, { accountId, bytes });
}

/** Counts what was removed: rows of `account_id` and `stored`. */
export function countRemoved(connection: Connection, removed: readonly Row[]): void {
  const sums = new Map<string, number>();
  for (const { account_id, stored } of removed)
    if (account_id !== null && stored !== null)
      sums.set(String(account_id), (sums.get(String(account_id)) ?? 0) + Number(stored));
  for (const [accountId, bytes] of sums) addStored(connection, accountId, -bytes);
}

/** What the account has in the store, what has expired and was not removed yet included. */
export const selectStored = (connection: Connection, accountId: string): number =>
  Number(
    connection.first('SELECT bytes FROM account_storage WHERE account_id = $accountId', { accountId })
      ?.bytes ?? 0,
  );

const ROWS_AT_FIRST = 100;

/** When so many bytes will have expired that are stored now; undefined: there are not so many. */
export function selectExpiry(
  connection: Connection,
  { accountId, bytes }: { accountId: string; bytes: number },
): number | undefined {
  for (let limit = ROWS_AT_FIRST; ; limit *= 10) {
    const rows = connection.all(selectEnds, { accountId, limit });
    let freed = 0;
    for (const { until, stored } of rows) {
      freed += Number(stored);
      if (freed >= bytes) return Number(until);
    }
    if (rows.length < limit) return undefined;
  }
}

/** Whether an account may store so many bytes more; what has expired is not in the way. */
export function hasRoom(
  connection: Connection,
  { accountId, bytes, quota, now }: { accountId: string; bytes: number; quota: number | null; now: number },
): boolean {
  if (quota === null) return true;
  const excess = selectStored(connection, accountId) + bytes - quota;
  if (excess <= 0) return true;
  const until = selectExpiry(connection, { accountId, bytes: excess });
  return until !== undefined && until <= now;
}

const add = `
  INSERT INTO account_storage (account_id, bytes) VALUES ($accountId, $bytes)
  ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes`;

/** Each of the three in the order of its index, so that no more is read than is asked for. */
const selectEnds = `
  SELECT expires_at AS until, stored FROM response WHERE account_id = $accountId
  UNION ALL
  SELECT kept_until, stored FROM turn WHERE account_id = $accountId
  UNION ALL
  SELECT expires_at, stored FROM batch WHERE account_id = $accountId AND stored > 0
  ORDER BY 1 LIMIT $limit`;
