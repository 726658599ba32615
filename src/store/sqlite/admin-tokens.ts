import type { AdminToken } from '../../customers/operators/admin-token.ts';
import type { Bindings, Row, SqliteConnection } from './connection.ts';

/** Inserts `token`. Returns false if a token with its name exists and is not revoked. Throws if its id or hash is taken. */
export function insertToken(connection: SqliteConnection, token: AdminToken): boolean {
  if (connection.first(byName, { name: token.name })) return false;
  const { id, name, role, createdAt } = token;
  connection.run(insert, { id, name, role, createdAt, ...changeable(token) });
  return true;
}

/** Writes the mutable fields if the stored version equals the token's, and increments the version. Returns false if nothing was written. */
export function updateToken(connection: SqliteConnection, token: AdminToken): boolean {
  return connection.run(update, { id: token.id, ...changeable(token) }) === 1;
}

/** Returns the token, revoked or not, or undefined if the id is unknown. */
export function selectToken(connection: SqliteConnection, id: string): AdminToken | undefined {
  const row = connection.first('SELECT * FROM admin_token WHERE id = $id', { id });
  return row && tokenOf(row);
}

/** Returns the token with this hash, now or before its latest rotation. */
export function selectTokenByHash(connection: SqliteConnection, hash: string): AdminToken | undefined {
  const row = connection.first(byHash, { hash });
  return row && tokenOf(row);
}

/** Returns all tokens in order of creation. */
export const selectTokens = (connection: SqliteConnection): AdminToken[] =>
  connection.all('SELECT * FROM admin_token ORDER BY sequence').map(tokenOf);

const byHash = 'SELECT * FROM admin_token WHERE hash = $hash OR previous_hash = $hash';

const byName = 'SELECT 1 AS found FROM admin_token WHERE name = $name COLLATE NOCASE AND revoked_at IS NULL';

const insert = `
  INSERT INTO admin_token (
    id, name, role, hash, hint, previous_hash, previous_ends_at, created_at, expires_at, revoked_at, version
  ) VALUES (
    $id, $name, $role, $hash, $hint, $previousHash, $previousEndsAt, $createdAt, $expiresAt, $revokedAt, $version
  )`;

const update = `
  UPDATE admin_token SET
    hash = $hash, hint = $hint, previous_hash = $previousHash, previous_ends_at = $previousEndsAt,
    expires_at = $expiresAt, revoked_at = $revokedAt, version = $version + 1
  WHERE id = $id AND version = $version`;

const changeable = ({ hash, hint, previous, expiresAt, revokedAt, version }: AdminToken): Bindings => ({
  hash,
  hint,
  expiresAt,
  revokedAt,
  version,
  previousHash: previous?.hash ?? null,
  previousEndsAt: previous?.endsAt ?? null,
});

/** The table's checks and its single writer guarantee the types. */
const tokenOf = (row: Row): AdminToken => ({
  id: row.id as string,
  name: row.name as string,
  role: row.role as AdminToken['role'],
  hash: row.hash as string,
  hint: row.hint as string,
  previous:
    row.previous_hash === null
      ? null
      : { hash: row.previous_hash as string, endsAt: row.previous_ends_at as number },
  createdAt: row.created_at as number,
  expiresAt: row.expires_at as number | null,
  revokedAt: row.revoked_at as number | null,
  version: row.version as number,
});
