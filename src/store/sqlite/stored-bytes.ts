import type { Row, SqliteConnection } from './connection.ts';

/** Bytes that an account has stored until then; a step of `expiryStep`. */
export type StoredUntil = { accountId: string; until: number; bytes: number };

/** So many steps make the life of what is stored: a day's are a second long. */
const STEPS = 86_400;
/** Nearly always the first few are enough. */
const STEPS_AT_FIRST = 100;

/** When something has expired, rounded up so that what expires at about the same time is one sum. */
export function expiryStep({ createdAt, expiresAt }: { createdAt: number; expiresAt: number }): number {
  const step = Math.max(1, Math.floor((expiresAt - createdAt) / STEPS));
  return Math.ceil(expiresAt / step) * step;
}

/** Counts what an account has stored from now on. */
export const addStored = (connection: SqliteConnection, { accountId, until, bytes }: StoredUntil): void =>
  void connection.run(add, [accountId, until, bytes]);

/** Counts what it has no longer. */
export function removeStored(connection: SqliteConnection, removed: readonly StoredUntil[]): void {
  for (const { accountId, until, bytes } of summed(removed)) {
    addStored(connection, { accountId, until, bytes: -bytes });
    connection.run(deleteEmpty, [accountId, until]);
  }
}

/** Rows that were removed, of `account_id`, `stored` and `until`. Those of before have no account. */
export const removedRows = (rows: readonly Row[]): StoredUntil[] =>
  rows
    .filter(({ account_id, stored }) => account_id !== null && stored !== null)
    .map(({ account_id, until, stored }) => ({
      ...{ accountId: String(account_id), until: Number(until), bytes: Number(stored) },
    }));

/** What expires together is one write. */
function summed(all: readonly StoredUntil[]): Iterable<StoredUntil> {
  const sums = new Map<string, StoredUntil>();
  for (const one of all) {
    const key = `${one.until} ${one.accountId}`;
    const sum = sums.get(key);
    if (sum) sum.bytes += one.bytes;
    else sums.set(key, { ...one });
  }
  return sums.values();
}

/** What the account has in the store, what has expired and was not removed yet included. */
export const selectStored = (connection: SqliteConnection, accountId: string): number =>
  Number(connection.first(selectSum, [accountId])?.bytes ?? 0);

/** When so many bytes will have expired that are stored now; undefined: there are not so many. */
export function selectExpiry(
  connection: SqliteConnection,
  { accountId, bytes }: { accountId: string; bytes: number },
): number | undefined {
  for (let limit = STEPS_AT_FIRST; ; limit *= 10) {
    const steps = connection.all(selectSteps, [accountId, limit]);
    let freed = 0;
    for (const { until, bytes: ending } of steps) {
      freed += Number(ending);
      if (freed >= bytes) return Number(until);
    }
    if (steps.length < limit) return undefined;
  }
}

/** Whether an account may store so many bytes more; what has expired is not in the way. */
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

/** Twice: to the sum of all, and to that of what expires at the time. */
const add = `
  INSERT INTO account_storage (account_id, until, bytes) VALUES (?1, 0, ?3), (?1, ?2, ?3)
  ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes`;

const deleteEmpty = 'DELETE FROM account_storage WHERE account_id = ? AND until = ? AND bytes = 0';

const selectSum = 'SELECT bytes FROM account_storage WHERE account_id = ? AND until = 0';

const selectSteps = `
  SELECT until, bytes FROM account_storage WHERE account_id = ? AND until > 0 ORDER BY until LIMIT ?`;
