import type { Batch, CollectionId, ProcessingMode } from '../batches/stored/batch.ts';
import type { RunningBatch } from '../batches/stored/batch-store.ts';
import type { CommonRow } from './common-queries.ts';

/** SQLite has no booleans, and stores 1 for true. */
const isTrue = (value: unknown): boolean => value === true || value === 1;

export const batchOfRow = (row: CommonRow): Batch => ({
  id: row.id as string,
  collection: row.collection as CollectionId,
  accountId: row.account_id as string,
  keyId: row.key_id as string,
  mode: row.mode as ProcessingMode,
  isNative: isTrue(row.native),
  host: row.host as string,
  protocolVersion: row.protocol_version as string | null,
  size: row.size as number,
  createdAt: row.created_at as number,
  expiresAt: row.expires_at as number,
  deadlineAt: row.deadline_at as number,
  cancelInitiatedAt: row.cancel_initiated_at as number | null,
  endedAt: row.ended_at as number | null,
});

export const runningBatchOfRow = (row: CommonRow): RunningBatch => ({
  ...batchOfRow(row),
  sequence: row.sequence as number,
});
