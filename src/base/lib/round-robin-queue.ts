/**
 * A job in its queue. Removal empties it, because the runtime's collections keep deleted values until the
 * next full collection.
 */
type QueuedJob<Job> = { job: Job | undefined };

/** A queue with fair turns: accounts take turns, and each turn takes the account's oldest job. */
export class RoundRobinQueue<Job> {
  readonly #byAccount = new Map<string, Set<QueuedJob<Job>>>();

  countOf(account: string): number {
    return this.#byAccount.get(account)?.size ?? 0;
  }

  /** Adds a job, and returns a function that removes it. Calling the function again has no effect. */
  add(account: string, job: Job): () => void {
    const queued: QueuedJob<Job> = { job };
    const jobs = this.#byAccount.get(account);
    if (jobs) jobs.add(queued);
    else this.#byAccount.set(account, new Set([queued]));
    return () => this.#remove(account, queued);
  }

  /** Returns the next job. The job stays until it is removed, and its account moves to the end. */
  next(): Job | undefined {
    for (const [account, jobs] of this.#byAccount) {
      this.#byAccount.delete(account);
      this.#byAccount.set(account, jobs);
      for (const { job } of jobs) return job;
    }
    return undefined;
  }

  all(): Job[] {
    return [...this.#byAccount.values()].flatMap((jobs) =>
      [...jobs].flatMap(({ job }) => (job === undefined ? [] : [job])),
    );
  }

  #remove(account: string, queued: QueuedJob<Job>): void {
    queued.job = undefined;
    const jobs = this.#byAccount.get(account);
    if (jobs?.delete(queued) && jobs.size === 0) this.#byAccount.delete(account);
  }
}
