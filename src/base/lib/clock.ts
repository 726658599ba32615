/** A source of time. `now` is wall time in milliseconds. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: Date.now };

/** A clock that the operator of a test server can move ahead. Its timers move with it. */
export class MovableClock implements Clock {
  #aheadMs = 0;
  #listeners = new Set<() => void>();

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  advance(ms: number): void {
    this.#aheadMs += ms;
    for (const listener of this.#listeners) listener();
  }

  /** Registers a listener that is called after each jump, so that timers can check again. */
  onJump(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Returns a monotonic clock for time spans. On a test server it is the movable clock. */
export const steadyClock = (wallClock: Clock): Clock =>
  wallClock instanceof MovableClock ? wallClock : { now: () => performance.now() };
