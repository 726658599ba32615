import type { Clock } from '../../base/lib/clock.ts';
import type { Capacity } from './capacity.ts';
import type { Slotted } from './slot-claim.ts';

/** The longest delay of a timer. With a longer one it fires at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Expires queued requests on time, with one timer for the whole queue. */
export class QueueTimer<P extends Slotted> {
  readonly #capacity: Capacity<P>;
  readonly #clock: Clock;
  #timer: Timer | undefined;
  #due = Number.POSITIVE_INFINITY;

  constructor(capacity: Capacity<P>, clock: Clock) {
    this.#capacity = capacity;
    this.#clock = clock;
  }

  /** Sets the timer after a request has queued. */
  arm(): void {
    const due = this.#capacity.nextExpiry;
    if (due === undefined || due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    const delayMs = Math.max(0, Math.ceil(due - this.#clock.now()));
    this.#timer = setTimeout(() => this.expire(), Math.min(delayMs, MAX_DELAY_MS));
    this.#timer.unref();
  }

  /** Expires the due requests. It is called by the timer, and after the clock was moved. */
  expire(): void {
    clearTimeout(this.#timer);
    this.#due = Number.POSITIVE_INFINITY;
    this.#capacity.expire();
    this.arm();
  }
}
