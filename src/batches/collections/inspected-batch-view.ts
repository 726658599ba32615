import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import type { InspectedBatch } from './batch-directory.ts';
import { statusOf } from './batch-view.ts';

/** A batch with its progress, as operators and the dashboard see it. */
export const inspectedBatchView = (batch: InspectedBatch) => ({
  id: batch.id,
  collection: batch.collection,
  account_id: batch.accountId,
  key_id: batch.keyId,
  processing_mode: batch.mode,
  processing_status: statusOf(batch),
  size: batch.size,
  request_counts: batch.counts,
  at_work: batch.progress?.atWork ?? 0,
  retries: batch.retries,
  items_per_minute: rounded(batch.progress?.itemsPerMinute ?? null),
  estimated_end_at: isoTimeOrNull(batch.progress?.estimatedEndAt ?? null),
  created_at: isoTime(batch.createdAt),
  deadline_at: isoTime(batch.deadlineAt),
  expires_at: isoTime(batch.expiresAt),
  cancel_initiated_at: isoTimeOrNull(batch.cancelInitiatedAt),
  ended_at: isoTimeOrNull(batch.endedAt),
});

const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 10) / 10;
