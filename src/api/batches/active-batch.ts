import type { JobLease } from '../../base/jobs/job.ts';
import type { ClaimedItem } from './batch.ts';
import type { RunningBatch } from './batch-store.ts';
import type { CalledOff } from './item-outcome.ts';

/** An item that is being answered. */
export type ItemAtWork = {
  item: ClaimedItem;
  /** Whether an upstream was asked already. */
  hasBegun(): boolean;
  callOff(reason: CalledOff): void;
};

/** A batch that has not ended, as whoever runs it sees it. */
export class ActiveBatch {
  readonly batch: RunningBatch;
  readonly atWork = new Map<number, ItemAtWork>();
  /** When it is worth looking for items again. */
  dueAt = 0;
  isCanceled: boolean;
  isExpired = false;
  /** Since this process runs it. */
  readonly seen = { finished: 0, since: 0 };

  constructor(batch: RunningBatch, now: number) {
    this.batch = batch;
    this.isCanceled = batch.cancelInitiatedAt !== null;
    this.seen.since = now;
  }

  get leases(): JobLease[] {
    return [...this.atWork.values()].map(({ item }) => item.lease);
  }

  /** Nothing more is begun, and what nobody was asked for yet is called off. */
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
