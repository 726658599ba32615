import type { ApiKey, Retries } from '../money/accounts/api-key.ts';
import type { CommonRow, RowValues } from './common-queries.ts';

/** Returns the columns that a change writes, with their values. */
export const changeableOfKey = (key: ApiKey): RowValues => ({
  hash: key.hash,
  hint: key.hint,
  name: key.name,
  payg: key.payg,
  monthly_cap_usd: key.monthlyCapUsd,
  allowed_models: key.allowedModels && JSON.stringify(key.allowedModels),
  limits: key.limits && JSON.stringify(key.limits),
  previous: key.previous && JSON.stringify(key.previous),
  person_id: key.personId,
  tags: key.tags && JSON.stringify(key.tags),
  retries: key.retries,
  resumable: key.resumable,
  expires_at: key.expiresAt,
  revoked_at: key.revokedAt,
});

export const rowOfKey = (key: ApiKey): RowValues => ({
  id: key.id,
  account_id: key.accountId,
  created_at: key.createdAt,
  version: key.version,
  ...changeableOfKey(key),
});

export const keyOfRow = (row: CommonRow): ApiKey => ({
  id: row.id as string,
  accountId: row.account_id as string,
  hash: row.hash as string,
  hint: row.hint as string,
  name: row.name as string | null,
  payg: Boolean(row.payg),
  monthlyCapUsd: row.monthly_cap_usd as number | null,
  allowedModels: row.allowed_models === null ? null : JSON.parse(row.allowed_models as string),
  limits: row.limits === null ? null : JSON.parse(row.limits as string),
  previous: row.previous === null ? null : JSON.parse(row.previous as string),
  personId: row.person_id as string | null,
  tags: row.tags === null ? null : JSON.parse(row.tags as string),
  retries: row.retries as Retries,
  resumable: Boolean(row.resumable),
  createdAt: row.created_at as number,
  expiresAt: row.expires_at as number | null,
  revokedAt: row.revoked_at as number | null,
  version: row.version as number,
});
