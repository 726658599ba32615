import type { StartPace } from '../../base/jobs/start-pace.ts';
import type { ClaimAsk } from '../stored/batch-store.ts';
import type { ActiveBatch } from './active-batch.ts';

const NATIVE_ITEMS_AT_A_TIME = 50;

export type ClaimLimits = {
  now: number;
  leaseUntil: number;
  pace: Pick<StartPace, 'allowance'>;
  /** The maximum number of concurrent items. */
  concurrency: number;
  /** The number of further items that may start now. */
  free: number;
};

/** Divides the free places equally among the due batches. Batches that got a turn move to the end. */
export function claimAsks(
  batches: readonly ActiveBatch[],
  { now, leaseUntil, pace, concurrency, free }: ClaimLimits,
): { asks: ClaimAsk[]; batches: ActiveBatch[] } {
  const space = Math.min(free, pace.allowance());
  const due = batches.filter(({ dueAt }) => dueAt <= now);
  const asking = space > 0 ? due.filter(({ batch }) => !batch.isNative).slice(0, space) : [];
  const limit = Math.max(1, Math.floor(Math.min(space, concurrency) / asking.length));
  return {
    asks: [
      ...asking.map(({ batch: { sequence } }) => ({ sequence, limit, leaseUntil })),
      // Items at providers take no place here.
      ...nativeAsks(due, pace.allowance()),
    ],
    batches: [...batches.filter((active) => !asking.includes(active)), ...asking],
  };
}

function nativeAsks(due: readonly ActiveBatch[], allowance: number): ClaimAsk[] {
  if (allowance <= 0) return [];
  const limit = Math.min(allowance, NATIVE_ITEMS_AT_A_TIME);
  return due
    .filter(({ batch }) => batch.isNative)
    .map(({ batch: { sequence, deadlineAt } }) => ({ sequence, limit, leaseUntil: deadlineAt }));
}
