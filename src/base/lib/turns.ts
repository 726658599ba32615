/**
 * Long work gives way after each slice of it, so that nobody else waits longer than for the slice. Whoever asks is let go on in turn, one
 * for each round of the event loop: what has come meanwhile on any connection goes first.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(this.#letOneGo);
    });
  }

  readonly #letOneGo = (): void => {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(this.#letOneGo);
  };
}

/** A slice of work: some milliseconds. */
const SLICE_MS = 4;

/** Knows when it is time to give way. */
export class WorkSlice {
  readonly #turns: Turns;
  #startedAt = performance.now();

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  get isOver(): boolean {
    return performance.now() - this.#startedAt > SLICE_MS;
  }

  async giveWay(): Promise<void> {
    await this.#turns.next();
    this.#startedAt = performance.now();
  }
}
