/** Reloads that a signal asks for: one at a time, and however many are asked for meanwhile are one more. */
export class SignalReloads {
  readonly #reload: () => Promise<unknown>;
  #running: Promise<void> | undefined;
  #isAskedAgain = false;
  #isClosed = false;

  /** `reload` says itself what went wrong: it must not throw. */
  constructor(reload: () => Promise<unknown>) {
    this.#reload = reload;
  }

  ask(): void {
    if (this.#isClosed) return;
    this.#isAskedAgain = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Ends what is under way, and hears no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isAskedAgain && !this.#isClosed) {
      this.#isAskedAgain = false;
      await this.#reload();
    }
  }
}
