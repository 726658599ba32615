import type { KeptAnswer, KeyOwner, TakeKey, TakenKey } from '../../../api/batches/idempotency.ts';
import type { SqliteConnection } from '../connection.ts';

/** Takes a key that is new, was forgotten, or was taken by somebody who is not heard of any more; else says what is known of it. */
export function takeKey(connection: SqliteConnection, take: TakeKey): TakenKey {
  const { accountId, collection, key, now, bodyHash } = take;
  const known = connection.first(select, { accountId, collection, key });
  if (known && Number(known.expires_at) > now) {
    if (known.answer !== null)
      return known.body_hash === bodyHash
        ? { kind: 'done', answer: { body: String(known.answer) } }
        : { kind: 'conflict' };
    if (Number(known.lease_until) > now) return { kind: 'running' };
  }
  const { token, leaseUntil, expiresAt } = take;
  connection.run(save, { accountId, collection, key, token, bodyHash, leaseUntil, expiresAt });
  return { kind: 'taken' };
}

/** Writes what the creation answered. False: somebody else has taken the key since. */
export const answerKey = (connection: SqliteConnection, owner: KeyOwner, answer: KeptAnswer): boolean =>
  connection.run(saveAnswer, { ...owner, answer: answer.body }) > 0;

/** Forgets a key, if it is still its owner's and has no answer. */
export const releaseKey = (connection: SqliteConnection, owner: KeyOwner): void =>
  void connection.run(release, { ...owner });

/** Forgets keys of which nobody is left to finish the creation. */
export const releaseAllKeys = (connection: SqliteConnection): void =>
  void connection.run('DELETE FROM idempotency_key WHERE answer IS NULL');

/** Removes up to `limit` keys whose time is over, and counts them. */
export const sweepKeys = (connection: SqliteConnection, options: { now: number; limit: number }): number =>
  connection.run(sweep, options);

const OF_KEY = 'account_id = $accountId AND collection = $collection AND key = $key';

const select = `SELECT body_hash, lease_until, expires_at, answer FROM idempotency_key WHERE ${OF_KEY}`;

const save = `
  INSERT OR REPLACE INTO idempotency_key
    (account_id, collection, key, token, body_hash, lease_until, expires_at, answer)
  VALUES ($accountId, $collection, $key, $token, $bodyHash, $leaseUntil, $expiresAt, NULL)`;

const saveAnswer = `
  UPDATE idempotency_key SET answer = $answer WHERE ${OF_KEY} AND token = $token AND answer IS NULL`;

const release = `DELETE FROM idempotency_key WHERE ${OF_KEY} AND token = $token AND answer IS NULL`;

const sweep = `
  DELETE FROM idempotency_key WHERE (account_id, collection, key) IN
    (SELECT account_id, collection, key FROM idempotency_key WHERE expires_at <= $now LIMIT $limit)`;
