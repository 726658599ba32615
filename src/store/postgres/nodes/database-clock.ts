import type { AdvancingClock } from '../../../base/lib/clock.ts';

/** A difference below this is measurement error and is corrected over several readings. */
const SMALL_MS = 50;
const WEIGHT = 0.25;

/**
 * The database's time, as this process knows it from its round trips. It advances with the monotonic clock of the process and never goes
 * back, whatever the wall clock of this machine says.
 */
export class DatabaseClock implements AdvancingClock {
  readonly advance: (ms: number) => Promise<void>;
  readonly #local: () => number;
  readonly #listeners = new Set<() => void>();
  #offset: number | undefined;
  #aheadMs = 0;
  #latest = 0;

  /** `advance` moves the clock of the whole installation ahead. */
  constructor(advance: (ms: number) => Promise<void>, local: () => number = () => performance.now()) {
    this.advance = advance;
    this.#local = local;
  }

  now(): number {
    const now = Math.floor(this.#local() + (this.#offset ?? 0));
    if (now > this.#latest) this.#latest = now;
    return this.#latest;
  }

  /** Takes a reading: the database's time `now`, asked for and answered at these local times. `aheadMs`: how far tests moved the clock. */
  read(
    now: number,
    { askedAt, answeredAt, aheadMs }: { askedAt: number; answeredAt: number; aheadMs: number },
  ): void {
    const measured = now - (askedAt + answeredAt) / 2;
    const jumped = aheadMs - this.#aheadMs;
    this.#aheadMs = aheadMs;
    const expected = this.#offset === undefined ? measured : this.#offset + jumped;
    const error = measured - expected;
    this.#offset = Math.abs(error) < SMALL_MS ? expected + error * WEIGHT : measured;
    if (jumped > 0) for (const listener of this.#listeners) listener();
  }

  onJump(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
