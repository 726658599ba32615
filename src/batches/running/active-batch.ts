import type { JobLease } from '../../base/jobs/job.ts';
import type { ClaimedItem } from '../stored/batch.ts';
import type { RunningBatch } from '../stored/batch-store.ts';
import type { CallOffReason } from './next-step.ts';

/** An item that is being processed. */
export type ItemAtWork = {
  item: ClaimedItem;
  /** Reports whether an upstream has been called. */
  hasBegun(): boolean;
  callOff(reason: CallOffReason): void;
};

/** The claim times of a batch whose items are claimed at once, and of one without an item to claim. */
const AT_ONCE = 0;
const NEVER = Number.POSITIVE_INFINITY;

/** The runner's state of a batch that has not ended. */
export class ActiveBatch {
  readonly batch: RunningBatch;
  readonly itemsAtWork = new Map<number, ItemAtWork>();
  /** The time at which this process took up the batch, and the number of items that finished since then. */
  readonly tally: { readonly since: number; finished: number };
  #dueAt = AT_ONCE;
  #isCanceled: boolean;
  #isExpired = false;

  constructor(batch: RunningBatch, now: number) {
    this.batch = batch;
    this.#isCanceled = batch.cancelInitiatedAt !== null;
    this.tally = { since: now, finished: 0 };
  }

  get isCanceled(): boolean {
    return this.#isCanceled;
  }

  get isExpired(): boolean {
    return this.#isExpired;
  }

  get leases(): JobLease[] {
    return [...this.itemsAtWork.values()].map(({ item }) => item.lease);
  }

  /** The time of the next claim of items. */
  get dueAt(): number {
    return this.#dueAt;
  }

  /** Reports whether the last claim found no queued item. */
  get hasNothingDue(): boolean {
    return this.#dueAt === NEVER;
  }

  /** Makes the next claim due at once. The claim also finds out whether the batch has ended. */
  recheck(): void {
    this.#dueAt = AT_ONCE;
  }

  /** Notes the time of the next due item after a claim. `null` means that no item is queued. */
  noteClaim(nextDueAt: number | null): void {
    this.#dueAt = nextDueAt ?? NEVER;
  }

  /** Notes an item that was put back. */
  notePutBack(dueAt: number): void {
    this.#dueAt = Math.min(this.#dueAt, dueAt);
  }

  /** Cancels the batch: starts no more items, and calls off items without an upstream call. */
  cancel(): void {
    this.#isCanceled = true;
    this.recheck();
    for (const work of this.itemsAtWork.values()) if (!work.hasBegun()) work.callOff('canceled');
  }

  expire(): void {
    this.#isExpired = true;
    this.recheck();
    for (const work of this.itemsAtWork.values()) work.callOff('expired');
  }

  stop(): void {
    for (const work of this.itemsAtWork.values()) work.callOff('stopped');
  }
}
