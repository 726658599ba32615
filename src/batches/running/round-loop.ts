const AFTER_FAILURE_MS = 1_000;

export type RoundLoopParts = {
  round(): Promise<void>;
  /** Returns the longest pause before the next round. */
  pauseMs(): number;
  onFailure(error: unknown): void;
};

/** Runs rounds one at a time: when one is requested, and after a pause. */
export class RoundLoop {
  readonly #parts: RoundLoopParts;
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;
  #isRequested = false;
  #isStopped = false;

  constructor(parts: RoundLoopParts) {
    this.#parts = parts;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Schedules a round. Requests within the same turn of the event loop share one. */
  request(): void {
    if (this.#isStopped || this.#isRequested) return;
    this.#isRequested = true;
    if (this.#running) return;
    setImmediate(() => {
      this.#running = this.#run().finally(() => {
        this.#running = undefined;
        if (!this.#isRequested || this.#isStopped) return;
        this.#isRequested = false;
        this.request();
      });
    });
  }

  /** Starts no more rounds. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Resolves when no round is under way. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    let pauseMs = AFTER_FAILURE_MS;
    try {
      while (this.#isRequested && !this.#isStopped) {
        this.#isRequested = false;
        await this.#parts.round();
      }
      pauseMs = this.#parts.pauseMs();
    } catch (error) {
      this.#parts.onFailure(error);
    }
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => this.request(), pauseMs);
    this.#timer.unref();
  }
}
