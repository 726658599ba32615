/** Writes changes a while after the first one, so that many share a write. One write runs at a time. */
export class DelayedWrite {
  readonly #write: () => Promise<void>;
  readonly #delayMs: number;
  #timer: Timer | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** `write` must not reject. It calls `schedule` to repeat a failed write. */
  constructor(write: () => Promise<void>, delayMs: number) {
    this.#write = write;
    this.#delayMs = delayMs;
  }

  /** Starts a write after the delay, unless one is scheduled. */
  schedule(): void {
    this.#timer ??= setTimeout(() => void this.flush(), this.#delayMs);
  }

  /** Writes as soon as the write under way has ended. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(this.#write);
    return this.#writing;
  }
}
