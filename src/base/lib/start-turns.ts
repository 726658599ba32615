import { YieldQueue } from './yield-queue.ts';

/** The time that new requests may take in one round of the event loop. */
const ROUND_MS = 10;

/**
 * Spreads requests that arrive together over several rounds of the event loop. No request waits while the
 * round has time left. The others begin one after the other, one in each round.
 */
export class StartTurns {
  readonly #queue = new YieldQueue();
  /** The first start of this round. */
  #startedAt: number | undefined;

  next(): Promise<void> | undefined {
    return this.#queue.isFree && this.#hasTime() ? undefined : this.#queue.next();
  }

  #hasTime(): boolean {
    const now = performance.now();
    if (this.#startedAt !== undefined) return now - this.#startedAt < ROUND_MS;
    this.#startedAt = now;
    setImmediate(this.#endRound);
    return true;
  }

  readonly #endRound = (): void => {
    this.#startedAt = undefined;
  };
}
