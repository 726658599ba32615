import type { FinishedJob, JobLease } from '../../base/jobs/job.ts';
import type { Batch, ClaimedItem, CollectionId, CountedBatch, NewItem, ResultRow } from './batch.ts';
import type { KeptAnswer, KeyOwner } from './idempotency.ts';

/** Whose batches: a key sees its own, in one of the collections. */
export type BatchOwner = { keyId: string; collection: CollectionId };
export type WantedBatch = BatchOwner & { id: string };
/** `after` and `before` are ids. Newest first. */
export type BatchPage = BatchOwner & {
  now: number;
  limit: number;
  after?: string | undefined;
  before?: string | undefined;
};

/** A batch that has not ended, as whoever runs it needs it. */
export type RunningBatch = Batch & { sequence: number; keyHash: string };

/** So many items of one batch. */
export type ClaimAsk = { sequence: number; limit: number; leaseUntil: number };
export type ItemClaim = {
  asks: readonly ClaimAsk[];
  now: number;
  /** Until when what is still at work is nobody else's. */
  leaseUntil: number;
  atWork: readonly JobLease[];
};
/** `nextDueAt`: when the next of its items that nobody has is to be run; null: there is none. */
export type Claimed = { sequence: number; items: ClaimedItem[]; nextDueAt: number | null };

/** What a finished try is put back with. */
export type PutBack = { lease: JobLease; dueAt: number; failed: boolean };

/** What a batch takes with its items, and what its account may store in all; null: anything. */
export type BatchRoom = { bytes: number; quota: number | null };

/** Where batches are kept. Whatever changes them is durable when its promise resolves. */
export interface BatchStore {
  /** Begins a batch that nobody sees, and gives its number. Undefined: its account has no room for it. */
  stageBatch(batch: Batch, room: BatchRoom): Promise<number | undefined>;
  stageItems(sequence: number, first: number, items: readonly NewItem[]): Promise<void>;
  /** Makes it a batch, in one step with the answer that its creator is given. False: somebody else owns the idempotency key by now. */
  openBatch(sequence: number, kept?: { owner: KeyOwner; answer: KeptAnswer }): Promise<boolean>;
  /** Removes what was staged. */
  dropStaged(sequence: number): Promise<void>;

  /** Also one that has expired, as long as it is remembered. */
  findBatch(wanted: WantedBatch): Promise<CountedBatch | undefined>;
  /** Undefined: there is no batch of that id to begin at; `fault` names which. */
  listBatches(
    page: BatchPage,
  ): Promise<{ items: CountedBatch[]; hasMore: boolean } | { fault: 'after' | 'before' }>;
  /** Cancels what nobody is at; what is at work goes on. */
  cancelBatch(wanted: WantedBatch, now: number): Promise<CountedBatch | undefined>;
  /** Removes an ended batch with all that belongs to it. */
  deleteBatch(wanted: WantedBatch): Promise<void>;
  /** By their place, behind `after`: as many as fit in so many bytes, but one at least. */
  readResults(id: string, from: { after: number; limit: number; bytes: number }): Promise<ResultRow[]>;

  /** Whoever made it. */
  inspectBatch(id: string): Promise<(CountedBatch & { retries: number }) | undefined>;

  /** For one that runs them: all that have not ended. */
  loadRunning(): Promise<RunningBatch[]>;
  findRunning(id: string): Promise<RunningBatch | undefined>;
  /** Items whose time has come and that nobody has, tries that nobody ended first to last. */
  claimItems(claim: ItemClaim): Promise<Claimed[]>;
  /** False: the try does not count any more. */
  finishItem(job: FinishedJob): Promise<boolean>;
  putBack(item: PutBack): Promise<void>;
  /** Ends items that nobody is at as expired. */
  expireItems(sequence: number): Promise<void>;
  /** Ends the batch where every item has a result. */
  endBatch(sequence: number, now: number): Promise<boolean>;

  /** After a start: what nobody is at any more is due again, and what was half created is gone. */
  recoverBatches(): Promise<void>;
  /** Removes what has expired, `limit` rows at a time, and says how many that were. */
  sweepBatches(options: { now: number; forgetBefore: number; limit: number }): Promise<number>;
}
