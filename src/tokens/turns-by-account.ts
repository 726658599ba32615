/** What waits, in turn by account: an account with many jobs has one turn as any other has, for its oldest job. */
export class TurnsByAccount<Job> {
  readonly #byAccount = new Map<string, Set<Job>>();

  countOf(account: string): number {
    return this.#byAccount.get(account)?.size ?? 0;
  }

  add(account: string, job: Job): void {
    const jobs = this.#byAccount.get(account);
    if (jobs) jobs.add(job);
    else this.#byAccount.set(account, new Set([job]));
  }

  remove(account: string, job: Job): void {
    const jobs = this.#byAccount.get(account);
    if (jobs?.delete(job) && jobs.size === 0) this.#byAccount.delete(account);
  }

  /** The job whose turn it is. It stays until it is removed, and its account is last from now on. */
  next(): Job | undefined {
    for (const [account, jobs] of this.#byAccount) {
      this.#byAccount.delete(account);
      this.#byAccount.set(account, jobs);
      for (const job of jobs) return job;
    }
    return undefined;
  }

  all(): Job[] {
    return [...this.#byAccount.values()].flatMap((jobs) => [...jobs]);
  }
}
