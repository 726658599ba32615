/** Emptied by whoever leaves: the runtime's collections keep what was deleted from them until the next full collection. */
type Place<Job> = { job: Job | undefined };

/** What waits, in turn by account: an account with many jobs has one turn as any other has, for its oldest job. */
export class TurnsByAccount<Job> {
  readonly #byAccount = new Map<string, Set<Place<Job>>>();

  countOf(account: string): number {
    return this.#byAccount.get(account)?.size ?? 0;
  }

  /** Answers with what removes the job, once or more often. */
  add(account: string, job: Job): () => void {
    const place: Place<Job> = { job };
    const places = this.#byAccount.get(account);
    if (places) places.add(place);
    else this.#byAccount.set(account, new Set([place]));
    return () => this.#remove(account, place);
  }

  /** The job whose turn it is. It stays until it is removed, and its account is last from now on. */
  next(): Job | undefined {
    for (const [account, places] of this.#byAccount) {
      this.#byAccount.delete(account);
      this.#byAccount.set(account, places);
      for (const { job } of places) return job;
    }
    return undefined;
  }

  all(): Job[] {
    return [...this.#byAccount.values()].flatMap((places) =>
      [...places].flatMap(({ job }) => (job === undefined ? [] : [job])),
    );
  }

  #remove(account: string, place: Place<Job>): void {
    place.job = undefined;
    const places = this.#byAccount.get(account);
    if (places?.delete(place) && places.size === 0) this.#byAccount.delete(account);
  }
}
