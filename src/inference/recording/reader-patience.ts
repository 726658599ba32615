import type { RecordingOptions } from './recording-options.ts';

const FOLLOWED_LOOK_MS = 1_000;

type PatienceOptions = Pick<RecordingOptions, 'requestId' | 'store' | 'clock' | 'isShared' | 'graceMs'>;

/** Counts the readers of an answer, and ends the answer some time after the last one has left. */
export class ReaderPatience {
  readonly #options: PatienceOptions;
  readonly #controller = new AbortController();
  #readers = 0;
  #grace: Timer | undefined;
  /** The answer ends with its last reader. */
  #hasNoGrace = false;
  #isStopped = false;

  constructor(options: PatienceOptions) {
    this.#options = options;
  }

  /** Aborts when the answer must end, because it has no readers. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Adds a reader. Returns a function that removes it. */
  join(): () => void {
    this.#readers++;
    clearTimeout(this.#grace);
    let isHere = true;
    return () => {
      if (!isHere) return;
      isHere = false;
      this.#readers--;
      this.#wait(this.#options.graceMs);
    };
  }

  /** Ends the answer as if its readers had left. */
  end(): void {
    this.#controller.abort();
  }

  /** From now on, the answer ends when it has no readers. */
  endGrace(): void {
    this.#hasNoGrace = true;
    if (this.#readers === 0) this.end();
  }

  /** Stops waiting. The answer has ended. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#grace);
  }

  #wait(ms: number): void {
    if (this.#readers > 0 || this.#isStopped) return;
    clearTimeout(this.#grace);
    if (ms <= 0 || this.#hasNoGrace) this.end();
    else this.#grace = setTimeout(() => void this.#giveUp(), ms);
  }

  /** Readers in other processes count as there. */
  async #giveUp(): Promise<void> {
    const { requestId, store, clock, isShared, graceMs } = this.#options;
    if (isShared) {
      const row = await store.find(requestId).catch(() => undefined);
      if (this.#readers > 0) return;
      const idleMs = clock.now() - (row?.followedUntil ?? 0);
      if (idleMs < graceMs) return this.#wait(Math.max(FOLLOWED_LOOK_MS, graceMs - idleMs));
    }
    this.end();
  }
}
