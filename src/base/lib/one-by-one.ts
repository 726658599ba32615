/**
 * Runs jobs one after another, in the order of their calls. A job that fails does not affect the next one.
 */
export class OneByOne {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#last.then(job);
    // The caller gets the failure.
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves when the jobs so far have ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
