import type { ListedResponse } from '../inference/responses/response-store.ts';
import type { CommonRow } from './common-queries.ts';
import { nullableText, number, text } from './row-columns.ts';

export const listedResponseOfRow = (row: CommonRow): ListedResponse => ({
  id: text(row, 'id'),
  keyId: text(row, 'key_id'),
  createdAt: number(row, 'created_at'),
  expiresAt: number(row, 'expires_at'),
  model: text(row, 'model'),
  bytes: number(row, 'bytes'),
  previousId: nullableText(row, 'previous_id'),
  turns: number(row, 'turns'),
});
