import type { RoundRobinQueue } from '../../base/lib/round-robin-queue.ts';
import type { CountTask } from './count-task.ts';

/** A count to be made, and how long it may take. */
export type CountOrder = {
  task: CountTask;
  /** The account whose turn it uses. */
  account: string;
  /** Is set if a hold depends on it. Counts for holds go before all others. */
  isBound: boolean;
  /** The longest wait for its first turn. It is infinite if no request waits for it. */
  patienceMs: number;
  /** Aborts when the count is no longer needed. */
  signal: AbortSignal | undefined;
};

type WaitTerms = {
  /** The longest time for a count: from its order for a hold, otherwise from its first turn. */
  timeoutMs: number;
  /** Is called with true if the task was finished. Only the first call counts. */
  onEnd(isCounted: boolean): void;
};

/** A count in its queue. It leaves the queue when it ends. */
export class WaitingCount {
  readonly task: CountTask;
  readonly #order: CountOrder;
  readonly #terms: WaitTerms;
  readonly #leave = (): void => this.end(false);
  #remove: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasBegun = false;

  constructor(order: CountOrder, terms: WaitTerms) {
    this.task = order.task;
    this.#order = order;
    this.#terms = terms;
  }

  enter(queue: RoundRobinQueue<WaitingCount>): void {
    const { account, isBound, patienceMs, signal } = this.#order;
    this.#leaveAfter(isBound ? this.#terms.timeoutMs : patienceMs);
    signal?.addEventListener('abort', this.#leave);
    this.#remove = queue.add(account, this);
  }

  /** Is called before each turn. From the first one on, the patience no longer counts. */
  begin(): void {
    const { isBound, patienceMs } = this.#order;
    const isPatient = patienceMs === Number.POSITIVE_INFINITY;
    if (!this.#hasBegun && !isBound && !isPatient) this.#leaveAfter(this.#terms.timeoutMs);
    this.#hasBegun = true;
  }

  end(isCounted: boolean): void {
    clearTimeout(this.#timer);
    this.#order.signal?.removeEventListener('abort', this.#leave);
    this.#remove?.();
    this.#terms.onEnd(isCounted);
  }

  #leaveAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(this.#leave, ms);
    this.#timer?.unref();
  }
}
