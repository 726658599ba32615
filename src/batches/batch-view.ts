import type { CountedBatch } from './batch.ts';
import { collections } from './collection.ts';

const isoTime = (time: number): string => new Date(time).toISOString();
const isoOrNull = (time: number | null): string | null => (time === null ? null : isoTime(time));

export type ProcessingStatus = 'in_progress' | 'canceling' | 'ended';

export function statusOf({ endedAt, cancelInitiatedAt }: CountedBatch): ProcessingStatus {
  if (endedAt !== null) return 'ended';
  return cancelInitiatedAt === null ? 'in_progress' : 'canceling';
}

/** A batch as clients see it; `address` is the server's. */
export function batchView(batch: CountedBatch, address: string) {
  const { path, label } = collections[batch.collection];
  return {
    id: batch.id,
    ...label,
    processing_status: statusOf(batch),
    request_counts: batch.counts,
    created_at: isoTime(batch.createdAt),
    expires_at: isoTime(batch.expiresAt),
    ended_at: isoOrNull(batch.endedAt),
    cancel_initiated_at: isoOrNull(batch.cancelInitiatedAt),
    archived_at: null,
    results_url: batch.endedAt === null ? null : `${address}${path}/${batch.id}/results`,
    processing_mode: batch.mode,
  };
}
