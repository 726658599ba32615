import type { Row, SqliteConnection } from './sqlite-connection.ts';

/** The bytes of an account that expire at `until`, a step from `expiryStep`. */
export type StoredUntil = { accountId: string; until: number; bytes: number };

/** The first few steps are nearly always enough. */
const STEPS_AT_FIRST = 100;

/** Adds to the account's total and to the sum of the expiry. */
const addSql = `
  INSERT INTO account_storage (account_id, until, bytes) VALUES (?1, 0, ?3), (?1, ?2, ?3)
  ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes`;

/** Adds to an account's stored bytes. */
export const addStored = (connection: SqliteConnection, { accountId, until, bytes }: StoredUntil): void =>
  void connection.run(addSql, [accountId, until, bytes]);

const deleteEmptySql = 'DELETE FROM account_storage WHERE account_id = ? AND until = ? AND bytes = 0';

/** Subtracts removed data from the stored bytes. */
export function removeStored(connection: SqliteConnection, removed: readonly StoredUntil[]): void {
  for (const { accountId, until, bytes } of summed(removed)) {
    addStored(connection, { accountId, until, bytes: -bytes });
    connection.run(deleteEmptySql, [accountId, until]);
  }
}

/**
 * Converts removed rows with `account_id`, `stored` and `until`. Rows of earlier versions have no account.
 */
export const removedRows = (rows: readonly Row[]): StoredUntil[] =>
  rows
    .filter(({ account_id, stored }) => account_id !== null && stored !== null)
    .map(({ account_id, until, stored }) => ({
      accountId: String(account_id),
      until: Number(until),
      bytes: Number(stored),
    }));

/** Combines removals with the same expiry into one write. */
function summed(removals: readonly StoredUntil[]): Iterable<StoredUntil> {
  const sums = new Map<string, StoredUntil>();
  for (const removal of removals) {
    const key = `${removal.until} ${removal.accountId}`;
    const sum = sums.get(key);
    if (sum) sum.bytes += removal.bytes;
    else sums.set(key, { ...removal });
  }
  return sums.values();
}

const selectSumSql = 'SELECT bytes FROM account_storage WHERE account_id = ? AND until = 0';

/** Returns the account's stored bytes, including data that has expired and is not removed yet. */
export const selectStored = (connection: SqliteConnection, accountId: string): number =>
  Number(connection.first(selectSumSql, [accountId])?.bytes ?? 0);

const selectStepsSql = `
  SELECT until, bytes FROM account_storage WHERE account_id = ? AND until > 0 ORDER BY until LIMIT ?`;

/**
 * Returns the time by which that many of the current bytes expire, or undefined if the account stores fewer.
 */
export function selectExpiry(
  connection: SqliteConnection,
  { accountId, bytes }: { accountId: string; bytes: number },
): number | undefined {
  for (let limit = STEPS_AT_FIRST; ; limit *= 10) {
    const steps = connection.all(selectStepsSql, [accountId, limit]);
    let freed = 0;
    for (const { until, bytes: ending } of steps) {
      freed += Number(ending);
      if (freed >= bytes) return Number(until);
    }
    if (steps.length < limit) return undefined;
  }
}

/** Reports whether an account can store that many more bytes. Expired data does not count. */
export function hasRoom(
  connection: SqliteConnection,
  { accountId, bytes, quota, now }: { accountId: string; bytes: number; quota: number | null; now: number },
): boolean {
  if (quota === null) return true;
  const excess = selectStored(connection, accountId) + bytes - quota;
  if (excess <= 0) return true;
  const until = selectExpiry(connection, { accountId, bytes: excess });
  return until !== undefined && until <= now;
}
