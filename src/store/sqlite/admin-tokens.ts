import type { AdminToken } from '../../customers/operators/admin-token.ts';
import { changeableOfToken, rowOfToken, tokenOfRow } from '../token-rows.ts';
import type { SqliteConnection } from './connection.ts';
import { insertRow, saveRow } from './write-row.ts';

/** Inserts `token`. Returns false if a token with its name exists and is not revoked. Throws if its id or hash is taken. */
export function insertToken(connection: SqliteConnection, token: AdminToken): boolean {
  if (connection.first(byName, { name: token.name })) return false;
  insertRow(connection, 'admin_token', rowOfToken(token));
  return true;
}

/** Writes the mutable fields if the stored version equals the token's, and increments the version. Returns false if nothing was written. */
export function updateToken(connection: SqliteConnection, token: AdminToken): boolean {
  const { id, version } = token;
  return saveRow(connection, 'admin_token', { ...changeableOfToken(token), id, version });
}

/** Returns the token, revoked or not, or undefined if the id is unknown. */
export function selectToken(connection: SqliteConnection, id: string): AdminToken | undefined {
  const row = connection.first('SELECT * FROM admin_token WHERE id = $id', { id });
  return row && tokenOfRow(row);
}

/** Returns the token with this hash, now or before its latest rotation. */
export function selectTokenByHash(connection: SqliteConnection, hash: string): AdminToken | undefined {
  const row = connection.first(byHash, { hash });
  return row && tokenOfRow(row);
}

/** Returns all tokens in order of creation. */
export const selectTokens = (connection: SqliteConnection): AdminToken[] =>
  connection.all('SELECT * FROM admin_token ORDER BY sequence').map(tokenOfRow);

const byHash = 'SELECT * FROM admin_token WHERE hash = $hash OR previous_hash = $hash';

const byName = 'SELECT 1 AS found FROM admin_token WHERE name = $name COLLATE NOCASE AND revoked_at IS NULL';
