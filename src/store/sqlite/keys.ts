import type { ApiKey } from '../../money/accounts/api-key.ts';
import type { Bindings, Row, SqliteConnection } from './connection.ts';

/** Inserts `key`. Throws if its id or hash is taken, or if its account does not exist. */
export function insertKey(connection: SqliteConnection, key: ApiKey): void {
  const { id, accountId, hash, hint, createdAt } = key;
  connection.run(insert, { id, accountId, hash, hint, createdAt, ...changeable(key) });
}

/** Writes the mutable fields if the stored version equals the key's, and increments the version. False: nothing was written. */
export function updateKey(connection: SqliteConnection, key: ApiKey): boolean {
  return connection.run(update, { id: key.id, ...changeable(key) }) === 1;
}

/** Returns the key, revoked or not, or undefined if the id is unknown. */
export function selectKey(connection: SqliteConnection, id: string): ApiKey | undefined {
  const row = connection.first('SELECT * FROM api_key WHERE id = $id', { id });
  return row && keyOf(row);
}

/** Returns the key, revoked or not, or undefined if no key has this hash. */
export function selectKeyByHash(connection: SqliteConnection, hash: string): ApiKey | undefined {
  const row = connection.first('SELECT * FROM api_key WHERE hash = $hash', { hash });
  return row && keyOf(row);
}

/** Returns all keys of the account in order of creation. */
export function selectKeys(connection: SqliteConnection, accountId: string): ApiKey[] {
  const rows = connection.all('SELECT * FROM api_key WHERE account_id = $accountId ORDER BY sequence', {
    accountId,
  });
  return rows.map(keyOf);
}

const insert = `
  INSERT INTO api_key (
    id, account_id, hash, hint, name, payg, monthly_cap_usd, allowed_models, created_at, revoked_at, version
  ) VALUES (
    $id, $accountId, $hash, $hint, $name, $payg, $monthlyCapUsd, $allowedModels, $createdAt,
    $revokedAt, $version
  )`;

const update = `
  UPDATE api_key SET
    name = $name, payg = $payg, monthly_cap_usd = $monthlyCapUsd, allowed_models = $allowedModels,
    revoked_at = $revokedAt, version = $version + 1
  WHERE id = $id AND version = $version`;

function changeable({ name, payg, monthlyCapUsd, allowedModels, revokedAt, version }: ApiKey): Bindings {
  return {
    name,
    payg: payg ? 1 : 0,
    monthlyCapUsd,
    allowedModels: allowedModels && JSON.stringify(allowedModels),
    revokedAt,
    version,
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
    createdAt: row.created_at as number,
    revokedAt: row.revoked_at as number | null,
    version: row.version as number,
  };
}
