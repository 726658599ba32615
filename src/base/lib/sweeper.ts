import type { Clock } from './clock.ts';
import { SingleFlight } from './single-flight.ts';

const PAUSE_MS = 60_000;
/** Rows of one transaction. Each row has up to half a megabyte, and other writers wait meanwhile. */
const ROWS_AT_A_TIME = 100;

/** Removes up to `limit` expired rows, and returns how many it removed. */
export type Sweep = (options: { now: number; limit: number }) => Promise<number>;

/**
 * Removes expired rows periodically. Reads check the expiry time themselves, so they never depend on a sweep.
 */
export class Sweeper {
  readonly #sweep: Sweep;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #timer: Timer;
  readonly #sweeping = new SingleFlight();
  #stopListening: (() => void) | undefined;
  #isClosed = false;

  constructor(sweep: Sweep, clock: Clock, onFailure: (error: unknown) => void) {
    this.#sweep = sweep;
    this.#clock = clock;
    this.#onFailure = onFailure;
    this.#timer = setInterval(() => void this.sweep(), PAUSE_MS);
    this.#timer.unref();
    this.#stopListening = clock.onJump?.(() => void this.sweep());
  }

  /** Runs one sweep at a time. The next sweep makes up for a failed one. */
  sweep(): Promise<void> {
    return this.#sweeping.run(() => this.#sweepAll().catch(this.#onFailure));
  }

  /** Stops the sweeps and waits for the current one. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#stopListening?.();
    await this.#sweeping.ended();
  }

  async #sweepAll(): Promise<void> {
    let removed = ROWS_AT_A_TIME;
    while (!this.#isClosed && removed >= ROWS_AT_A_TIME)
      removed = await this.#sweep({ now: this.#clock.now(), limit: ROWS_AT_A_TIME });
  }
}
