import type { JobLease } from '../../base/jobs/job.ts';
import type { ClaimedItem } from '../stored/batch.ts';
import type { RunningBatch } from '../stored/batch-store.ts';
import type { CalledOff } from './item-outcome.ts';

/** An item that is being processed. */
export type ItemAtWork = {
  item: ClaimedItem;
  /** Reports whether an upstream has been called. */
  hasBegun(): boolean;
  callOff(reason: CalledOff): void;
};

/** The runner's state of a batch that has not ended. */
export class ActiveBatch {
  readonly batch: RunningBatch;
  readonly atWork = new Map<number, ItemAtWork>();
  /** The time of the next claim of items. */
  dueAt = 0;
  isCanceled: boolean;
  isExpired = false;
  /** The items that finished since this process took up the batch. */
  readonly seen = { finished: 0, since: 0 };

  constructor(batch: RunningBatch, now: number) {
    this.batch = batch;
    this.isCanceled = batch.cancelInitiatedAt !== null;
    this.seen.since = now;
  }

  get leases(): JobLease[] {
    return [...this.atWork.values()].map(({ item }) => item.lease);
  }

  /** Cancels the batch: starts no more items, and calls off items without an upstream call. */
  cancel(): void {
    this.isCanceled = true;
    this.dueAt = 0;
    for (const work of this.atWork.values()) if (!work.hasBegun()) work.callOff('canceled');
  }

  expire(): void {
    this.isExpired = true;
    this.dueAt = 0;
    for (const work of this.atWork.values()) work.callOff('expired');
  }

  stop(): void {
    for (const work of this.atWork.values()) work.callOff('stopped');
  }
}
