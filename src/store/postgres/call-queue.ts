import { gather } from '../gather.ts';

export type CallQueueParts<T> = {
  /** Removes the operations of the next call from those that wait. */
  take(waiting: T[]): readonly T[];
  /** Sends a call, and resolves when it has ended. It never rejects. */
  send(group: readonly T[]): Promise<void>;
  /** Gives up on operations whose deadline has passed. It runs every 100 ms. */
  expire(pending: readonly T[]): void;
};

const EXPIRE_EVERY_MS = 100;

/**
 * A queue of operations that share calls to the database. A call begins after a turn of the event loop that
 * adds no operation. Operations that arrive during a call share the next one.
 */
export class CallQueue<T> {
  readonly waiting: T[] = [];
  readonly #parts: CallQueueParts<T>;
  #current: readonly T[] = [];
  #isWorking = false;

  constructor(parts: CallQueueParts<T>) {
    this.#parts = parts;
  }

  /** True while operations wait or a call is under way. */
  get isWorking(): boolean {
    return this.#isWorking;
  }

  add(operation: T): void {
    this.waiting.push(operation);
    if (!this.#isWorking) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    const expiry = setInterval(
      () => this.#parts.expire([...this.#current, ...this.waiting]),
      EXPIRE_EVERY_MS,
    );
    try {
      await this.#gather();
      while (this.waiting.length > 0) {
        this.#current = this.#parts.take(this.waiting);
        await this.#parts.send(this.#current);
        await this.#gather();
      }
    } finally {
      clearInterval(expiry);
      this.#current = [];
      this.#isWorking = false;
    }
  }

  #gather(): Promise<void> {
    return gather({ waiting: () => this.waiting.length, written: this.#current.length });
  }
}
