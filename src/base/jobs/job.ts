/** A piece of work: the batch's own number, and the item's place in it. */
export type JobPlace = { batch: number; number: number };

/** One try at one piece of work. It counts only as long as no later attempt was begun. */
export type JobLease = JobPlace & { attempt: number };

/** How a piece of work ended, as it is said to clients. */
export const results = ['succeeded', 'errored', 'canceled', 'expired'] as const;
export type JobResult = (typeof results)[number];

/** A piece of work that is done. `line` is what its reader gets, byte for byte; null where the result says it all. */
export type FinishedJob = { lease: JobLease; result: JobResult; line: string | null };
