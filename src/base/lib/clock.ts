import type { MaybeLater } from './maybe-later.ts';

/** A source of time. `now` is wall time in milliseconds. */
export type Clock = {
  now(): number;
  /**
   * Registers a listener that is called after each jump, so that timers can check again. A clock without it
   * never jumps.
   */
  onJump?(listener: () => void): () => void;
  /** The time for spans, if `now` can be corrected. */
  steady?(): number;
};

/** A clock that the operator of a test server can move ahead. */
export type AdvancingClock = Clock & { advance(ms: number): MaybeLater<void> };

export const systemClock: Clock = { now: Date.now };

/** The clock of a test server. Its timers move with it. */
export class MovableClock implements AdvancingClock {
  #aheadMs = 0;
  #listeners = new Set<() => void>();

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  advance(ms: number): void {
    this.#aheadMs += ms;
    for (const listener of this.#listeners) listener();
  }

  onJump(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/**
 * Returns a monotonic clock for time spans. A clock that jumps is monotonic itself, and its spans include the
 * jumps.
 */
export function steadyClock(wallClock: Clock): Clock {
  const steady = wallClock.steady?.bind(wallClock);
  if (steady) return { now: steady };
  return wallClock.onJump ? wallClock : { now: () => performance.now() };
}
