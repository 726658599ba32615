import type { JobLease, JobResult } from '../../base/jobs/job.ts';

export type CollectionId = 'messages' | 'chat';

/** How a batch is run: at once but after live requests, on what they leave idle, or by the provider's own batches. */
export const processingModes = ['standard', 'flex', 'native-preferred', 'native-required'] as const;
export type ProcessingMode = (typeof processingModes)[number];

/** All times in milliseconds since 1970. */
export type Batch = {
  id: string;
  collection: CollectionId;
  accountId: string;
  /** The key that made it: no other one sees it, and it pays. */
  keyId: string;
  mode: ProcessingMode;
  /** It goes through the providers' own batches. */
  isNative: boolean;
  /** The host that its maker called, for addresses in what is said to it. */
  host: string;
  size: number;
  createdAt: number;
  /** When it and its results are gone. */
  expiresAt: number;
  /** Items without a result by then expire. */
  deadlineAt: number;
  cancelInitiatedAt: number | null;
  endedAt: number | null;
};

export type RequestCounts = { processing: number } & Record<JobResult, number>;

export type CountedBatch = Batch & { counts: RequestCounts };

/** A request of a batch. `params` is its text as it was sent. */
export type NewItem = {
  customId: string;
  /** The same in every attempt: what it is charged under. */
  requestId: string;
  params: string;
};

/** An item to be run. */
export type ClaimedItem = NewItem & {
  lease: JobLease;
  /** Tries that ended with a failure. */
  failures: number;
  /** Tries of which nobody knows how they ended: the server ended with them. */
  deaths: number;
  /** Where a provider has it already. */
  submission: number | null;
};

/** A line of the results, or what one without an answer of its own says. */
export type ResultRow = { number: number; customId: string; result: JobResult; line: string | null };

export const unansweredCounts = (size: number): RequestCounts => ({
  processing: size,
  succeeded: 0,
  errored: 0,
  canceled: 0,
  expired: 0,
});
