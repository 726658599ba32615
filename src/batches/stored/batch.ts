import type { JobLease, JobResult } from '../../base/jobs/job.ts';

export const collectionIds = ['messages', 'chat'] as const;
export type CollectionId = (typeof collectionIds)[number];

/**
 * `standard` runs after live requests, `flex` only on idle capacity, the native modes through the provider's
 * own batches.
 */
export const processingModes = ['standard', 'flex', 'native-preferred', 'native-required'] as const;
export type ProcessingMode = (typeof processingModes)[number];

/** A batch. Times are in milliseconds since 1970. */
export type Batch = {
  id: string;
  collection: CollectionId;
  accountId: string;
  /** The key that created the batch. Only this key sees it, and its account pays. */
  keyId: string;
  mode: ProcessingMode;
  /** The batch runs through the providers' own batches. */
  isNative: boolean;
  /** The host of the creating request, for URLs in answers. */
  host: string;
  /** The date in the `anthropic-version` header of the creating request. `null` means no header. */
  protocolVersion: string | null;
  size: number;
  createdAt: number;
  /** The time at which the batch and its results are deleted. */
  expiresAt: number;
  /** The time at which items without a result expire. */
  deadlineAt: number;
  cancelInitiatedAt: number | null;
  endedAt: number | null;
};

export type RequestCounts = { processing: number } & Record<JobResult, number>;

export type CountedBatch = Batch & { counts: RequestCounts };

/** A request of a batch. `params` is its body as sent by the client. */
export type NewItem = {
  customId: string;
  /** The id under which the item is charged, the same in every attempt. */
  requestId: string;
  params: string;
};

/** An item that was claimed for an attempt. */
export type ClaimedItem = NewItem & {
  lease: JobLease;
  /** The number of failed attempts. */
  failures: number;
  /** The number of attempts that were in progress at a crash. */
  deaths: number;
  /** The submission to a provider that contains the item. `null` means that the item was not submitted. */
  submission: number | null;
};

export type ItemState = 'queued' | 'running' | JobResult;

/** An item with its state. `line` is `null` without a result, or if the line follows from `result` alone. */
export type ResultRow = {
  number: number;
  customId: string;
  requestId: string;
  result: ItemState;
  line: string | null;
};

/** Returns the counts of a new batch. */
export const unansweredCounts = (size: number): RequestCounts => ({
  processing: size,
  succeeded: 0,
  errored: 0,
  canceled: 0,
  expired: 0,
});
