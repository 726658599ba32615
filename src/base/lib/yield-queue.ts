/** The length of a slice of work. */
const SLICE_MS = 4;

/**
 * Lets long work give way after each slice, so that other work waits for one slice at most. Waiting tasks
 * continue in order, one for each round of the event loop. New events on any connection are served first.
 */
export class YieldQueue {
  readonly #waiting: (() => void)[] = [];

  /** Reports whether no task waits. */
  get isFree(): boolean {
    return this.#waiting.length === 0;
  }

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

/** Decides when a long task gives way. */
export class WorkSlice {
  readonly #yieldQueue: YieldQueue;
  #startedAt = performance.now();

  constructor(yieldQueue: YieldQueue) {
    this.#yieldQueue = yieldQueue;
  }

  get isOver(): boolean {
    return performance.now() - this.#startedAt > SLICE_MS;
  }

  async giveWay(): Promise<void> {
    await this.#yieldQueue.next();
    this.#startedAt = performance.now();
  }
}
