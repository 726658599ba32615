import type { RoundRobinQueue } from '../../base/lib/round-robin-queue.ts';
import type { CountTask } from './count-task.ts';

/** A count to be made, and how long it may take. */
export type CountOrder = {
  task: CountTask;
  /** The account whose turn the count uses. */
  account: string;
  /** True if a hold depends on the count. Counts for holds go before all others. */
  isForHold: boolean;
  /** The longest wait for the first turn. Undefined if no request waits for the count. */
  maxWaitMs: number | undefined;
  /** Aborts when the count is no longer needed. */
  signal: AbortSignal | undefined;
};

type WaitTerms = {
  /**
   * The longest time for a count: from its order for a hold, otherwise from its first turn. A count that no
   * request waits for has no limit.
   */
  timeoutMs: number;
  /** The count calls it once, when it ends. `isCounted` is true if the task was finished. */
  onEnd(isCounted: boolean): void;
};

/** A count in its queue. It leaves the queue when it ends. */
export class WaitingCount {
  readonly task: CountTask;
  readonly #order: CountOrder;
  readonly #terms: WaitTerms;
  readonly #leave = (): void => this.end(false);
  #remove: (() => void) | undefined;
  #timer: Timer | undefined;
  #hasBegun = false;
  #hasEnded = false;

  constructor(order: CountOrder, terms: WaitTerms) {
    this.task = order.task;
    this.#order = order;
    this.#terms = terms;
  }

  enter(queue: RoundRobinQueue<WaitingCount>): void {
    const { account, isForHold, maxWaitMs, signal } = this.#order;
    const limitMs = isForHold ? this.#terms.timeoutMs : maxWaitMs;
    if (limitMs !== undefined) this.#leaveAfter(limitMs);
    signal?.addEventListener('abort', this.#leave);
    this.#remove = queue.add(account, this);
  }

  /** The queue calls it before each turn. From the first turn on, the longest wait no longer counts. */
  beginTurn(): void {
    const { isForHold, maxWaitMs } = this.#order;
    if (!this.#hasBegun && !isForHold && maxWaitMs !== undefined) this.#leaveAfter(this.#terms.timeoutMs);
    this.#hasBegun = true;
  }

  /** Ends the count. Only the first call counts. */
  end(isCounted: boolean): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#order.signal?.removeEventListener('abort', this.#leave);
    this.#remove?.();
    this.#terms.onEnd(isCounted);
  }

  #leaveAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#leave, ms);
    this.#timer.unref();
  }
}
