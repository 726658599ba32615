import type { CreateOutcome, KeyBound } from '../../money/accounts/account-store.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import type { Bindings, Row, SqliteConnection } from './connection.ts';

/** Inserts `key` unless the bound is reached. Throws if its id or hash is taken, or if its account does not exist. */
export function insertKey(connection: SqliteConnection, key: ApiKey, bound?: KeyBound): CreateOutcome {
  const { id, accountId, createdAt } = key;
  if (bound && !hasRoom(connection, accountId, bound)) return 'full';
  connection.run(insert, { id, accountId, createdAt, ...changeable(key) });
  return 'created';
}

function hasRoom(connection: SqliteConnection, accountId: string, { most, now }: KeyBound): boolean {
  return (connection.first(countWorking, { accountId, now })?.keys as number) < most;
}

/** Writes the mutable fields if the stored version equals the key's, and increments the version. Returns false if nothing was written. */
export function updateKey(connection: SqliteConnection, key: ApiKey): boolean {
  const { id, hash, version } = key;
  connection.run(keepReplaced, { id, hash, version });
  return connection.run(update, { id, ...changeable(key) }) === 1;
}

/** Returns the key, revoked or not, or undefined if the id is unknown. */
export function selectKey(connection: SqliteConnection, id: string): ApiKey | undefined {
  const row = connection.first('SELECT * FROM api_key WHERE id = $id', { id });
  return row && keyOf(row);
}

/** Returns the key, revoked or not, or undefined if no key has or had this hash. */
export function selectKeyByHash(connection: SqliteConnection, hash: string): ApiKey | undefined {
  const row = connection.first(byHash, { hash }) ?? connection.first(byReplacedHash, { hash });
  return row && keyOf(row);
}

/** Returns all keys of the account in order of creation. */
export function selectKeys(connection: SqliteConnection, accountId: string): ApiKey[] {
  const rows = connection.all('SELECT * FROM api_key WHERE account_id = $accountId ORDER BY sequence', {
    accountId,
  });
  return rows.map(keyOf);
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

const insert = `
  INSERT INTO api_key (
    id, account_id, hash, hint, name, payg, monthly_cap_usd, allowed_models, limits, previous, created_at,
    expires_at, revoked_at, version
  ) VALUES (
    $id, $accountId, $hash, $hint, $name, $payg, $monthlyCapUsd, $allowedModels, $limits, $previous, $createdAt,
    $expiresAt, $revokedAt, $version
  )`;

const update = `
  UPDATE api_key SET
    hash = $hash, hint = $hint, name = $name, payg = $payg, monthly_cap_usd = $monthlyCapUsd,
    allowed_models = $allowedModels, limits = $limits, previous = $previous, expires_at = $expiresAt,
    revoked_at = $revokedAt, version = $version + 1
  WHERE id = $id AND version = $version`;

function changeable(key: ApiKey): Bindings {
  const { id: _id, accountId: _accountId, createdAt: _createdAt, ...rest } = key;
  const { payg, allowedModels, limits, previous, ...asTheyAre } = rest;
  return {
    ...asTheyAre,
    payg: payg ? 1 : 0,
    allowedModels: allowedModels && JSON.stringify(allowedModels),
    limits: limits && JSON.stringify(limits),
    previous: previous && JSON.stringify(previous),
  };
}

/** The table's checks and its single writer guarantee the types. */
function keyOf(row: Row): ApiKey {
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    hash: row.hash as string,
    hint: row.hint as string,
    name: row.name as string | null,
    payg: row.payg === 1,
    monthlyCapUsd: row.monthly_cap_usd as number | null,
    allowedModels: row.allowed_models === null ? null : JSON.parse(row.allowed_models as string),
    limits: row.limits === null ? null : JSON.parse(row.limits as string),
    previous: row.previous === null ? null : JSON.parse(row.previous as string),
    createdAt: row.created_at as number,
    expiresAt: row.expires_at as number | null,
    revokedAt: row.revoked_at as number | null,
    version: row.version as number,
  };
}
