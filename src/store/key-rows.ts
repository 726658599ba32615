import { type ApiKey, retriesChoices } from '../money/accounts/api-key.ts';
import type { CommonRow, RowValues } from './common-queries.ts';
import { flag, nullableJson, nullableNumber, nullableText, number, oneOf, text } from './row-columns.ts';

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
  id: text(row, 'id'),
  accountId: text(row, 'account_id'),
  hash: text(row, 'hash'),
  hint: text(row, 'hint'),
  name: nullableText(row, 'name'),
  payg: flag(row, 'payg'),
  monthlyCapUsd: nullableNumber(row, 'monthly_cap_usd'),
  allowedModels: nullableJson(row, 'allowed_models'),
  limits: nullableJson(row, 'limits'),
  previous: nullableJson(row, 'previous'),
  personId: nullableText(row, 'person_id'),
  tags: nullableJson(row, 'tags'),
  retries: oneOf(row, 'retries', retriesChoices),
  resumable: flag(row, 'resumable'),
  createdAt: number(row, 'created_at'),
  expiresAt: nullableNumber(row, 'expires_at'),
  revokedAt: nullableNumber(row, 'revoked_at'),
  version: number(row, 'version'),
});
