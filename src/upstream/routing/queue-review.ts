/**
 * The cost of one request that chooses again. Ten thousand requests then choose again once a second, and a
 * few at almost any time.
 */
const MS_PER_WAITER = 0.1;
const MIN_GAP_MS = 20;

type Queue = { readonly size: number; reconsider(): void };

/** A monotonic clock in milliseconds, with a timer. */
export type ReviewTimer = { now(): number; after(delayMs: number, call: () => void): void };

const systemTimer: ReviewTimer = {
  now: () => performance.now(),
  after: (delayMs, call) => void setTimeout(call, delayMs).unref(),
};

/** Lets all queued requests choose again when needed, but only within a share of the time. */
export class QueueReview {
  readonly #queue: Queue;
  readonly #timer: ReviewTimer;
  #notBefore = 0;
  /**
   * The due reviews, rounded to whole gaps, so that one review serves all that are due at about the same
   * time. The values are the times of the earliest changes that no review has followed.
   */
  readonly #dues = new Map<number, number>();

  constructor(queue: Queue, timer = systemTimer) {
    this.#queue = queue;
    this.#timer = timer;
  }

  /** Reviews the queue at once, if the last review is long enough ago. */
  soon(): void {
    if (this.#queue.size > 0) this.in(0);
  }

  /** Reviews the queue after this delay or slightly later. */
  in(delayMs: number): void {
    const now = this.#timer.now();
    const due = Math.max(now + delayMs, this.#notBefore);
    if (due <= now) this.now();
    else this.#arm({ due: Math.ceil(due / MIN_GAP_MS) * MIN_GAP_MS, changesAt: now + delayMs }, now);
  }

  /** Reports whether the choices have changed and the queued requests have not chosen again yet. */
  get isOverdue(): boolean {
    if (this.#dues.size === 0) return false;
    const now = this.#timer.now();
    return this.#dues.values().some((at) => at <= now);
  }

  now(): void {
    const { size } = this.#queue;
    const now = this.#timer.now();
    for (const [due, at] of this.#dues) if (at <= now) this.#dues.set(due, Number.POSITIVE_INFINITY);
    if (size === 0) return;
    this.#notBefore = now + Math.max(MIN_GAP_MS, size * MS_PER_WAITER);
    this.#queue.reconsider();
  }

  #arm({ due, changesAt }: { due: number; changesAt: number }, now: number): void {
    const armed = this.#dues.get(due);
    this.#dues.set(due, Math.min(changesAt, armed ?? changesAt));
    if (armed !== undefined) return;
    const review = () => {
      this.#dues.delete(due);
      this.in(0);
    };
    this.#timer.after(due - now, review);
  }
}
