/** Identifies an item: its batch's internal number, and its index in the batch. */
export type JobIdentity = { batch: number; number: number };

/** One attempt at one item. A lease is valid until a later attempt begins. */
export type JobLease = JobIdentity & { attempt: number };

/** The results of an item, as clients see them. */
export const jobResults = ['succeeded', 'errored', 'canceled', 'expired'] as const;
export type JobResult = (typeof jobResults)[number];

/** A finished item. `line` is the exact text of its result, or null if the result has no more to say. */
export type FinishedJob = { lease: JobLease; result: JobResult; line: string | null };
