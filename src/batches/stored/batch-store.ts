import type { FinishedJob, JobLease } from '../../base/jobs/job.ts';
import type { Batch, ClaimedItem, CollectionId, CountedBatch, NewItem, ResultRow } from './batch.ts';
import type { KeptAnswer, KeyOwner } from './idempotency-store.ts';

/** The owner of batches. A key sees its own batches in one collection. */
export type BatchOwner = { keyId: string; collection: CollectionId };
export type WantedBatch = BatchOwner & { id: string };
/** A page of batches, newest first. `after` and `before` are ids. */
export type BatchPage = BatchOwner & {
  now: number;
  limit: number;
  after?: string | undefined;
  before?: string | undefined;
};

/** A page of the batches of all keys, or of one account. `isEnded` selects by state. */
export type InspectionPage = {
  now: number;
  accountId?: string | undefined;
  limit: number;
  after?: string | undefined;
  isEnded?: boolean | undefined;
};

/** A batch of any key. */
export type InspectedRow = CountedBatch & {
  /** The number of failed attempts that were retried. */
  retries: number;
  /** The items in progress on all nodes. Undefined if only this process runs batches. */
  atWork?: number;
};

/** A batch that has not ended, with the data that the runner needs. */
export type RunningBatch = Batch & { sequence: number };

/** A request for up to `limit` items of one batch. */
export type ClaimAsk = { sequence: number; limit: number; leaseUntil: number };
export type ItemClaim = {
  asks: readonly ClaimAsk[];
  now: number;
  /** The new end of the leases of items in progress. */
  leaseUntil: number;
  /** The leases of items in progress that are renewed with the claim. */
  renewed: readonly JobLease[];
};
/** The time `nextDueAt` is that of the next unclaimed item. `null` means that every item is claimed. */
export type Claimed = { sequence: number; items: ClaimedItem[]; nextDueAt: number | null };

/** A failed attempt whose item is put back. */
export type PutBack = { lease: JobLease; dueAt: number; failed: boolean };

/** The size of a batch with its items, and the quota of its account. A quota of `null` means no limit. */
export type BatchSpace = { bytes: number; quota: number | null };

/** The port for stored batches. A change is durable when its promise resolves. */
export interface BatchStore {
  /**
   * Stages an invisible batch and returns its number. Returns undefined if the batch exceeds the account's
   * quota.
   */
  stageBatch(batch: Batch, space: BatchSpace): Promise<number | undefined>;
  stageItems(sequence: number, first: number, items: readonly NewItem[]): Promise<void>;
  /**
   * Makes a staged batch visible and stores its answer atomically. Returns false if another creation owns the
   * idempotency key.
   */
  openBatch(sequence: number, kept?: { owner: KeyOwner; answer: KeptAnswer }): Promise<boolean>;
  /** Removes a staged batch. */
  dropStaged(sequence: number): Promise<void>;

  /** Finds a batch, even an expired one until it is forgotten. */
  findBatch(wanted: WantedBatch): Promise<CountedBatch | undefined>;
  /** Lists a page of batches. `fault` names the bound that is not the id of a batch. */
  listBatches(
    page: BatchPage,
  ): Promise<{ items: CountedBatch[]; hasMore: boolean } | { fault: 'after' | 'before' }>;
  /** Cancels unclaimed items. Items in progress continue. */
  cancelBatch(wanted: WantedBatch, now: number): Promise<CountedBatch | undefined>;
  /** Removes an ended batch with its items and results. */
  deleteBatch(wanted: WantedBatch): Promise<void>;
  /** Reads results by position after `after`: at least one, and no more than `bytes` allows. */
  readResults(id: string, from: { after: number; limit: number; bytes: number }): Promise<ResultRow[]>;

  /** Finds a batch of any key. */
  inspectBatch(id: string): Promise<InspectedRow | undefined>;
  /** Lists the batches of all keys, newest first. Returns undefined if `after` is not the id of a batch. */
  inspectBatches(page: InspectionPage): Promise<{ items: InspectedRow[]; hasMore: boolean } | undefined>;
  /** Returns the micro-credits that the items of a batch were charged so far. */
  sumCharged(id: string): Promise<number>;

  /** Loads all batches that have not ended. */
  loadRunning(): Promise<RunningBatch[]>;
  findRunning(id: string): Promise<RunningBatch | undefined>;
  /** Claims due items under a lease. Items that were in progress at a crash come last. */
  claimItems(claim: ItemClaim): Promise<Claimed[]>;
  /** Writes the result of an attempt. Returns false if a later attempt has replaced it. */
  finishItem(job: FinishedJob): Promise<boolean>;
  putBack(item: PutBack): Promise<void>;
  /** Ends unclaimed items as expired. */
  expireItems(sequence: number): Promise<void>;
  /** Ends the batch if every item has a result. */
  endBatch(sequence: number, now: number): Promise<boolean>;

  /** Recovers after a start: makes abandoned items due again and removes staged batches. */
  recoverBatches(): Promise<void>;
  /** Removes up to `limit` expired rows and returns their number. */
  sweepBatches(options: { now: number; forgetBefore: number; limit: number }): Promise<number>;
}
