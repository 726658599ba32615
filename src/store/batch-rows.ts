import { type Batch, collectionIds, processingModes } from '../batches/stored/batch.ts';
import type { RunningBatch } from '../batches/stored/batch-store.ts';
import type { CommonRow } from './common-queries.ts';
import { flag, nullableNumber, nullableText, number, oneOf, text } from './row-columns.ts';

export const batchOfRow = (row: CommonRow): Batch => ({
  id: text(row, 'id'),
  collection: oneOf(row, 'collection', collectionIds),
  accountId: text(row, 'account_id'),
  keyId: text(row, 'key_id'),
  mode: oneOf(row, 'mode', processingModes),
  isNative: flag(row, 'native'),
  host: text(row, 'host'),
  protocolVersion: nullableText(row, 'protocol_version'),
  size: number(row, 'size'),
  createdAt: number(row, 'created_at'),
  expiresAt: number(row, 'expires_at'),
  deadlineAt: number(row, 'deadline_at'),
  cancelInitiatedAt: nullableNumber(row, 'cancel_initiated_at'),
  endedAt: nullableNumber(row, 'ended_at'),
});

export const runningBatchOfRow = (row: CommonRow): RunningBatch => ({
  ...batchOfRow(row),
  sequence: number(row, 'sequence'),
});
