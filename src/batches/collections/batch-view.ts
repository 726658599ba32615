import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import type { CountedBatch } from '../stored/batch.ts';
import { collections } from '../stored/collection.ts';

export type ProcessingStatus = 'in_progress' | 'canceling' | 'ended';

/** Returns the status that clients see. A canceled batch ends when its items have ended. */
export function statusOf({ endedAt, cancelInitiatedAt }: CountedBatch): ProcessingStatus {
  if (endedAt !== null) return 'ended';
  return cancelInitiatedAt === null ? 'in_progress' : 'canceling';
}

/** Shows the batch in the form that clients get. `address` is the public URL of the server. */
export function batchView(batch: CountedBatch, address: string) {
  const { path, label } = collections[batch.collection];
  return {
    id: batch.id,
    ...label,
    processing_status: statusOf(batch),
    request_counts: batch.counts,
    created_at: isoTime(batch.createdAt),
    expires_at: isoTime(batch.expiresAt),
    ended_at: isoTimeOrNull(batch.endedAt),
    cancel_initiated_at: isoTimeOrNull(batch.cancelInitiatedAt),
    archived_at: null,
    results_url: batch.endedAt === null ? null : `${address}${path}/${batch.id}/results`,
    processing_mode: batch.mode,
  };
}
