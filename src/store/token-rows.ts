import { type AdminToken, adminRoles } from '../customers/operators/admin-token.ts';
import type { CommonRow, RowValues } from './common-queries.ts';
import { nullableNumber, number, oneOf, text } from './row-columns.ts';

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
  id: text(row, 'id'),
  name: text(row, 'name'),
  role: oneOf(row, 'role', adminRoles),
  hash: text(row, 'hash'),
  hint: text(row, 'hint'),
  previous:
    row.previous_hash === null
      ? null
      : { hash: text(row, 'previous_hash'), endsAt: number(row, 'previous_ends_at') },
  createdAt: number(row, 'created_at'),
  expiresAt: nullableNumber(row, 'expires_at'),
  revokedAt: nullableNumber(row, 'revoked_at'),
  version: number(row, 'version'),
});
