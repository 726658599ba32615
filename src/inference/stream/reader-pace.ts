import { ReaderGone } from '../../edge/http/reader-gone.ts';
import type { ReaderWaits } from '../../upstream/http-client/http-answer.ts';

/**
 * Measures how long the gateway waits for the client of one answer, and treats the client as disconnected
 * after the longest wait.
 */
export class ReaderPace implements ReaderWaits {
  readonly #maxMs: number;
  #endedMs = 0;
  #waitsSince: number | undefined;
  hasLeft = false;

  /** `maxMs` bounds all waits of the answer together. */
  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  get waitedMs(): number {
    return this.#endedMs + (this.#waitsSince === undefined ? 0 : performance.now() - this.#waitsSince);
  }

  /** Waits until the client has taken a piece. Rejects with `ReaderGone` if the waits become too long. */
  async until(taken: Promise<void>): Promise<void> {
    const over = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.hasLeft = true;
      over.reject(new ReaderGone());
    }, this.#maxMs - this.#endedMs);
    this.#waitsSince = performance.now();
    try {
      await Promise.race([taken, over.promise]);
    } finally {
      clearTimeout(timer);
      this.#endedMs = this.waitedMs;
      this.#waitsSince = undefined;
    }
  }
}
