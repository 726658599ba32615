/** Runs one piece of work at a time. */
export class SingleFlight {
  #running: Promise<void> | undefined;

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Starts the work, unless it is under way. The result ends with the work that is then under way. */
  run(work: () => Promise<void>): Promise<void> {
    this.#running ??= work().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Waits for the work under way, if there is any. */
  async ended(): Promise<void> {
    await this.#running;
  }
}
