import { type Clock, MovableClock } from './clock.ts';

const PAUSE_MS = 60_000;
/** Rows of one transaction: half a megabyte each at most, and others wait to write. */
const ROWS_AT_A_TIME = 100;

/** Removes up to `limit` rows whose time has come, and says how many that were. */
export type Sweep = (options: { now: number; limit: number }) => Promise<number>;

/** Removes what has expired, now and then. Reads do not wait for it: they look at the time themselves. */
export class Sweeper {
  readonly #sweep: Sweep;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #timer: Timer;
  #sweeping: Promise<void> | undefined;
  #stopListening: (() => void) | undefined;
  #closed = false;

  constructor(sweep: Sweep, clock: Clock, onFailure: (error: unknown) => void) {
    this.#sweep = sweep;
    this.#clock = clock;
    this.#onFailure = onFailure;
    this.#timer = setInterval(() => void this.sweep(), PAUSE_MS);
    this.#timer.unref();
    if (clock instanceof MovableClock) this.#stopListening = clock.onJump(() => void this.sweep());
  }

  /** One round at a time; a failed one is made up for by the next. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepAll()
      .catch(this.#onFailure)
      .finally(() => {
        this.#sweeping = undefined;
      });
    return this.#sweeping;
  }

  /** Ends with the round that is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#stopListening?.();
    await this.#sweeping;
  }

  async #sweepAll(): Promise<void> {
    let removed = ROWS_AT_A_TIME;
    while (!this.#closed && removed >= ROWS_AT_A_TIME)
      removed = await this.#sweep({ now: this.#clock.now(), limit: ROWS_AT_A_TIME });
  }
}
