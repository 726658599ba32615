import type { AdminToken } from '../customers/operators/admin-token.ts';
import type { CommonRow, RowValues } from './common-queries.ts';

/** Returns the columns that a change writes, with their values. */
export const changeableOfToken = (token: AdminToken): RowValues => ({
  hash: token.hash,
  hint: token.hint,
  previous_hash: token.previous?.hash ?? null,
  previous_ends_at: token.previous?.endsAt ?? null,
  expires_at: token.expiresAt,
  revoked_at: token.revokedAt,
});

export const rowOfToken = (token: AdminToken): RowValues => ({
  id: token.id,
  name: token.name,
  role: token.role,
  created_at: token.createdAt,
  version: token.version,
  ...changeableOfToken(token),
});

export const tokenOfRow = (row: CommonRow): AdminToken => ({
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
