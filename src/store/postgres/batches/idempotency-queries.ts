import type { KeptAnswer, KeyOwner, TakeKey, TakenKey } from '../../../batches/stored/idempotency-store.ts';
import type { Queries } from '../queries.ts';

/**
 * The insertion waits for another creation of the key to commit, so exactly one of many simultaneous ones
 * takes the key.
 */
const takeOrReadSql = `
  WITH took AS (
    INSERT INTO idempotency_key AS known
      (account_id, collection, key, token, body_hash, lease_until, expires_at, answer, node)
    VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, $8)
    ON CONFLICT (account_id, collection, key) DO UPDATE SET
      token = excluded.token, body_hash = excluded.body_hash, lease_until = excluded.lease_until,
      expires_at = excluded.expires_at, answer = NULL, node = excluded.node
    WHERE known.expires_at <= $9 OR (known.answer IS NULL AND known.lease_until <= $9)
    RETURNING 1
  )
  SELECT true AS taken, NULL AS body_hash, NULL AS answer FROM took
  UNION ALL
  SELECT false, body_hash, answer FROM idempotency_key
  WHERE account_id = $1 AND collection = $2 AND key = $3 AND NOT EXISTS (SELECT FROM took)`;

/**
 * Takes a key that is new, forgotten, or left by an owner that no longer responds.
 * Otherwise returns what is stored for it.
 */
export async function claimKey(queries: Queries, node: string, take: TakeKey): Promise<TakenKey> {
  const { accountId, collection, key, token, bodyHash, crashedAt, expiresAt, now } = take;
  // biome-ignore format: a line for each group
  const row = await queries.first(takeOrReadSql, [
    accountId, collection, key, token, bodyHash, crashedAt, expiresAt, node, now,
  ]);
  // The key was released between the failed insertion and the read.
  if (!row) return claimKey(queries, node, take);
  if (row.taken === true) return { kind: 'taken' };
  if (row.answer === null) return { kind: 'running' };
  return row.body_hash === bodyHash
    ? { kind: 'done', answer: { body: String(row.answer) } }
    : { kind: 'conflict' };
}

const OWNED = 'account_id = $1 AND collection = $2 AND key = $3 AND token = $4 AND answer IS NULL';

const saveAnswerSql = `UPDATE idempotency_key SET answer = $5 WHERE ${OWNED}`;

/** Stores the answer of the creation. Returns false if another creator has taken the key. */
export const keepAnswer = async (queries: Queries, owner: KeyOwner, answer: KeptAnswer): Promise<boolean> =>
  (await queries.run(saveAnswerSql, [...ownerValues(owner), answer.body])) > 0;

const releaseSql = `DELETE FROM idempotency_key WHERE ${OWNED}`;

/** Releases a key that its owner still has and that has no answer. */
export const dropKey = async (queries: Queries, owner: KeyOwner): Promise<void> =>
  void (await queries.run(releaseSql, ownerValues(owner)));

const forgetSql = `
  DELETE FROM idempotency_key WHERE (account_id, collection, key) IN
    (SELECT account_id, collection, key FROM idempotency_key WHERE expires_at <= $1 LIMIT $2
     FOR UPDATE SKIP LOCKED)`;

/** Deletes up to `limit` expired keys, and returns their number. */
export const forgetKeys = (queries: Queries, { now, limit }: { now: number; limit: number }) =>
  queries.run(forgetSql, [now, limit]);

const ownerValues = ({ accountId, collection, key, token }: KeyOwner) => [accountId, collection, key, token];
