import type { CreateOutcome, KeyBound } from '../../money/accounts/account-store.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import { changeableOfKey, keyOfRow, rowOfKey } from '../key-rows.ts';
import type { SqliteConnection } from './connection.ts';
import { insertRow, saveRow } from './write-row.ts';

/** Inserts `key` unless the bound is reached. Throws if its id or hash is taken, or if its account does not exist. */
export function insertKey(connection: SqliteConnection, key: ApiKey, bound?: KeyBound): CreateOutcome {
  if (bound && !hasRoom(connection, key.accountId, bound)) return 'full';
  insertRow(connection, 'api_key', rowOfKey(key));
  return 'created';
}

function hasRoom(connection: SqliteConnection, accountId: string, { most, now }: KeyBound): boolean {
  return (connection.first(countWorking, { accountId, now })?.keys as number) < most;
}

/** Writes the mutable fields if the stored version equals the key's, and increments the version. Returns false if nothing was written. */
export function updateKey(connection: SqliteConnection, key: ApiKey): boolean {
  const { id, hash, version } = key;
  connection.run(keepReplaced, { id, hash, version });
  return saveRow(connection, 'api_key', { ...changeableOfKey(key), id, version });
}

/** Returns the key, revoked or not, or undefined if the id is unknown. */
export function selectKey(connection: SqliteConnection, id: string): ApiKey | undefined {
  const row = connection.first('SELECT * FROM api_key WHERE id = $id', { id });
  return row && keyOfRow(row);
}

/** Returns the key, revoked or not, or undefined if no key has or had this hash. */
export function selectKeyByHash(connection: SqliteConnection, hash: string): ApiKey | undefined {
  const row = connection.first(byHash, { hash }) ?? connection.first(byReplacedHash, { hash });
  return row && keyOfRow(row);
}

/** Returns all keys of the account in order of creation. */
export function selectKeys(connection: SqliteConnection, accountId: string): ApiKey[] {
  const rows = connection.all('SELECT * FROM api_key WHERE account_id = $accountId ORDER BY sequence', {
    accountId,
  });
  return rows.map(keyOfRow);
}

const countWorking = `
  SELECT count(*) AS keys FROM api_key
  WHERE account_id = $accountId AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $now)`;

const byHash = 'SELECT * FROM api_key WHERE hash = $hash';

const byReplacedHash = `
  SELECT api_key.* FROM replaced_secret JOIN api_key ON api_key.id = replaced_secret.key_id
  WHERE replaced_secret.hash = $hash`;

const keepReplaced = `
  INSERT OR IGNORE INTO replaced_secret (hash, key_id)
  SELECT hash, id FROM api_key WHERE id = $id AND version = $version AND hash != $hash`;
