import type { AdvancingClock } from '../../../base/lib/clock.ts';

/**
 * A difference that exceeds half a round trip by less is an error of the measurement, and is corrected over
 * several readings.
 */
const SMALL_MS = 50;
const WEIGHT = 0.25;

/**
 * The database's time, as this process knows it from its round trips. It advances with the monotonic clock of
 * the process and never goes back, whatever the wall clock of this machine says. After the database's clock
 * was set back, it advances at half speed until the two meet.
 */
export class DatabaseClock implements AdvancingClock {
  readonly advance: (ms: number) => Promise<void>;
  readonly #local: () => number;
  readonly #listeners = new Set<() => void>();
  #offset: number | undefined;
  #aheadMs = 0;
  #latest = 0;
  /** The local time of `#latest`. */
  #latestAt = 0;

  /** `advance` moves the clock of the whole installation ahead. */
  constructor(advance: (ms: number) => Promise<void>, local: () => number = () => performance.now()) {
    this.advance = advance;
    this.#local = local;
  }

  now(): number {
    const local = this.#local();
    const slowest = this.#latest + (local - this.#latestAt) / 2;
    this.#latest = Math.max(local + (this.#offset ?? 0), slowest);
    this.#latestAt = local;
    return Math.floor(this.#latest);
  }

  /**
   * The time for spans: it follows the jumps of the test clock, but no other change of the database's clock.
   */
  steady(): number {
    return this.#local() + this.#aheadMs;
  }

  /**
   * Takes a reading: the database's time `now`, asked for and answered at these local times.
   * `aheadMs` is the time by which tests have moved the clock.
   */
  read(
    now: number,
    { askedAt, answeredAt, aheadMs }: { askedAt: number; answeredAt: number; aheadMs: number },
  ): void {
    const halfMs = (answeredAt - askedAt) / 2;
    const measured = now - askedAt - halfMs;
    const jumped = aheadMs - this.#aheadMs;
    this.#aheadMs = aheadMs;
    const expected = this.#offset === undefined ? measured : this.#offset + jumped;
    const error = measured - expected;
    // The database may have read its time at any moment of the round trip, so a long one proves little.
    const weight = WEIGHT * Math.min(1, (SMALL_MS / halfMs) ** 2);
    this.#offset = Math.abs(error) < SMALL_MS + halfMs ? expected + error * weight : measured;
    if (jumped > 0) for (const listener of this.#listeners) listener();
  }

  onJump(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
