import { SingleFlight } from '../../base/lib/single-flight.ts';

/**
 * Runs reloads that signals request, one at a time. Requests that arrive during a reload are combined into
 * one more.
 */
export class SignalReloads {
  readonly #reload: () => Promise<unknown>;
  readonly #running = new SingleFlight();
  #isAskedAgain = false;
  #isClosed = false;

  /** `reload` must not throw. It reports failures itself. */
  constructor(reload: () => Promise<unknown>) {
    this.#reload = reload;
  }

  ask(): void {
    if (this.#isClosed) return;
    this.#isAskedAgain = true;
    void this.#running.run(() => this.#run());
  }

  /** Waits for the reload in progress and ignores further requests. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running.ended();
  }

  async #run(): Promise<void> {
    while (this.#isAskedAgain && !this.#isClosed) {
      this.#isAskedAgain = false;
      await this.#reload();
    }
  }
}
