import type { KeptAnswer, KeyOwner, TakeKey, TakenKey } from '../../../batches/stored/idempotency-store.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';

const OF_KEY = 'account_id = $accountId AND collection = $collection AND key = $key';

const selectKeySql = `SELECT body_hash, lease_until, expires_at, answer FROM idempotency_key WHERE ${OF_KEY}`;

const takeKeySql = `
  INSERT OR REPLACE INTO idempotency_key
    (account_id, collection, key, token, body_hash, lease_until, expires_at, answer)
  VALUES ($accountId, $collection, $key, $token, $bodyHash, $crashedAt, $expiresAt, NULL)`;

/**
 * Takes a key that is new, forgotten, or left by an owner that no longer responds.
 * Otherwise returns what is stored for it.
 */
export function takeKey(connection: SqliteConnection, take: TakeKey): TakenKey {
  const { accountId, collection, key, now, bodyHash } = take;
  const row = connection.first(selectKeySql, { accountId, collection, key });
  if (row && Number(row.expires_at) > now) {
    if (row.answer !== null)
      return row.body_hash === bodyHash
        ? { kind: 'done', answer: { body: String(row.answer) } }
        : { kind: 'conflict' };
    if (Number(row.lease_until) > now) return { kind: 'running' };
  }
  const { token, crashedAt, expiresAt } = take;
  connection.run(takeKeySql, { accountId, collection, key, token, bodyHash, crashedAt, expiresAt });
  return { kind: 'taken' };
}

const saveAnswerSql = `
  UPDATE idempotency_key SET answer = $answer WHERE ${OF_KEY} AND token = $token AND answer IS NULL`;

/** Stores the answer of the creation. Returns false if another creator has taken the key. */
export const answerKey = (connection: SqliteConnection, owner: KeyOwner, answer: KeptAnswer): boolean =>
  connection.run(saveAnswerSql, { ...owner, answer: answer.body }) > 0;

const releaseSql = `DELETE FROM idempotency_key WHERE ${OF_KEY} AND token = $token AND answer IS NULL`;

/** Releases a key that its owner still has and that has no answer. */
export const releaseKey = (connection: SqliteConnection, owner: KeyOwner): void =>
  void connection.run(releaseSql, { ...owner });

/** Releases all keys whose creation nothing can finish. */
export const releaseAllKeys = (connection: SqliteConnection): void =>
  void connection.run('DELETE FROM idempotency_key WHERE answer IS NULL');

const deleteExpiredKeysSql = `
  DELETE FROM idempotency_key WHERE (account_id, collection, key) IN
    (SELECT account_id, collection, key FROM idempotency_key WHERE expires_at <= $now LIMIT $limit)`;

/** Deletes up to `limit` expired keys, and returns their number. */
export const sweepKeys = (connection: SqliteConnection, options: { now: number; limit: number }): number =>
  connection.run(deleteExpiredKeysSql, options);
