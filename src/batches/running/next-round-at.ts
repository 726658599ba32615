import type { ActiveBatch } from './active-batch.ts';

export type RoundTimes = {
  /** The time at which the leases are renewed next. */
  renewAt: number;
  /** The earliest time at which the pace lets an item start. */
  startsAt: number;
  /** True if another item may start here. Items at providers need no space. */
  hasSpace: boolean;
};

/** Returns the time of the next round: of a renewal, a deadline or a due item. */
export function nextRoundAt(
  batches: readonly ActiveBatch[],
  { renewAt, startsAt, hasSpace }: RoundTimes,
): number {
  let next = renewAt;
  for (const { dueAt, isExpired, batch } of batches) {
    if (!isExpired) next = Math.min(next, batch.deadlineAt);
    if (batch.isNative || hasSpace) next = Math.min(next, Math.max(dueAt, startsAt));
  }
  return next;
}
