import type { SqliteConnection } from '../sqlite-connection.ts';

export type BucketKey = { accountId: string; period: string };

const selectBucketSql = 'SELECT granted, used FROM bucket WHERE account_id = $accountId AND period = $period';

export function selectBucket(
  connection: SqliteConnection,
  key: BucketKey,
): { granted: number; used: number } {
  const row = connection.first(selectBucketSql, key);
  return { granted: Number(row?.granted ?? 0), used: Number(row?.used ?? 0) };
}

const addToBucketSql = `
  INSERT INTO bucket (account_id, period, granted, used) VALUES ($accountId, $period, $granted, $used)
  ON CONFLICT DO UPDATE SET granted = granted + $granted, used = used + $used`;

/** Adds to a bucket, and creates it if it does not exist. */
export const addToBucket = (
  connection: SqliteConnection,
  change: BucketKey & { granted: number; used: number },
): void => void connection.run(addToBucketSql, change);

const openSql = `
  INSERT INTO bucket (account_id, period, granted, used) VALUES ($accountId, $period, 0, 0) ON CONFLICT DO NOTHING`;

/** Creates a bucket. Returns false if it exists. */
export const openBucket = (connection: SqliteConnection, key: BucketKey): boolean =>
  connection.run(openSql, key) > 0;

const selectCycleSql = `SELECT 1 FROM bucket WHERE account_id = $accountId AND period LIKE 'cycle-%' LIMIT 1`;

export const hasCycles = (connection: SqliteConnection, accountId: string): boolean =>
  connection.first(selectCycleSql, { accountId }) !== undefined;

export const selectBuckets = (connection: SqliteConnection, accountId: string) =>
  connection
    .all('SELECT period, granted, used FROM bucket WHERE account_id = $accountId', { accountId })
    .map(({ period, granted, used }) => ({
      period: String(period),
      granted: Number(granted),
      used: Number(used),
    }));
