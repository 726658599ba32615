import type { Clock } from '../../base/lib/clock.ts';
import type { Capacity, Slotted } from './capacity.ts';

/** Turns away whoever has waited long enough, when the time comes. One timer, however many wait. */
export class QueueTimer<P extends Slotted> {
  readonly #capacity: Capacity<P>;
  readonly #clock: Clock;
  #timer: Timer | undefined;
  #due = Number.POSITIVE_INFINITY;

  constructor(capacity: Capacity<P>, clock: Clock) {
    this.#capacity = capacity;
    this.#clock = clock;
  }

  /** Somebody has begun to wait. */
  arm(): void {
    const due = this.#capacity.nextExpiry;
    if (due === undefined || due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.expire(), Math.max(0, Math.ceil(due - this.#clock.now())));
    this.#timer.unref();
  }

  /** Called by itself, and when somebody moves the clock. */
  expire(): void {
    clearTimeout(this.#timer);
    this.#due = Number.POSITIVE_INFINITY;
    this.#capacity.expire();
    this.arm();
  }
}
