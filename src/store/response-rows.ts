import type { ListedResponse } from '../inference/responses/response-store.ts';
import type { CommonRow } from './common-queries.ts';

export const listedResponseOfRow = (row: CommonRow): ListedResponse => ({
  id: row.id as string,
  keyId: row.key_id as string,
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
  model: row.model as string,
  bytes: Number(row.bytes),
  previousId: row.previous_id as string | null,
  turns: Number(row.turns),
});
