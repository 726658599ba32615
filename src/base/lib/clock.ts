/** Time as a parameter. `now` is wall time in milliseconds. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: Date.now };

/** A clock that an operator of a test server can move ahead; its timers move with it. */
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

  /** Called whenever the clock jumps, so that whoever waits for a time can look again. */
  onJump(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** For spans of time, whatever the time of day is set to. On a test server it is the clock that can be moved. */
export const steadyClock = (wallClock: Clock): Clock =>
  wallClock instanceof MovableClock ? wallClock : { now: () => performance.now() };
