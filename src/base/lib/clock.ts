/** A source of time. `now` is wall time in milliseconds. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: Date.now };

/** A clock that tests can move ahead. Its timers move with it. */
export interface MovingClock extends Clock {
  /** Registers a listener that is called after each jump, so that timers can check again. */
  onJump(listener: () => void): () => void;
}

export const isMoving = (clock: Clock): clock is MovingClock => 'onJump' in clock;

export class JumpListeners {
  readonly #listeners = new Set<() => void>();

  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** A clock that the operator of a test server can move ahead. */
export class MovableClock implements MovingClock {
  readonly #listeners = new JumpListeners();
  #aheadMs = 0;

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  advance(ms: number): void {
    this.#aheadMs += ms;
    this.#listeners.tell();
  }

  onJump(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }
}

/** Returns a monotonic clock for time spans. A clock that can jump is its own. */
export const steadyClock = (wallClock: Clock): Clock =>
  isMoving(wallClock) ? wallClock : { now: () => performance.now() };
