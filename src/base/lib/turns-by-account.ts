/** A job's place in its queue. Removal empties it, because the runtime's collections keep deleted values until the next full collection. */
type Place<Job> = { job: Job | undefined };

/** A queue with fair turns: accounts take turns, and each turn takes the account's oldest job. */
export class TurnsByAccount<Job> {
  readonly #byAccount = new Map<string, Set<Place<Job>>>();

  countOf(account: string): number {
    return this.#byAccount.get(account)?.size ?? 0;
  }

  /** Adds a job, and returns a function that removes it. Calling the function again has no effect. */
  add(account: string, job: Job): () => void {
    const place: Place<Job> = { job };
    const places = this.#byAccount.get(account);
    if (places) places.add(place);
    else this.#byAccount.set(account, new Set([place]));
    return () => this.#remove(account, place);
  }

  /** Returns the next job. The job stays until it is removed, and its account moves to the end. */
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
