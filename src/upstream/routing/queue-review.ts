/** What one who chooses again may cost: ten thousand of them do it once in a second, and a few at nearly any time. */
const MS_PER_WAITER = 0.1;
const LEAST_GAP_MS = 20;

type Queue = { readonly size: number; reconsider(): void };

/** Milliseconds on a steady clock, and a way to be called when some have passed. */
export type ReviewTimer = { now(): number; after(delayMs: number, call: () => void): void };

const systemTimer: ReviewTimer = {
  now: () => performance.now(),
  after: (delayMs, call) => void setTimeout(call, delayMs).unref(),
};

/** Lets all who wait choose again when there is a reason, and not so often that it takes more than a share of the time. */
export class QueueReview {
  readonly #queue: Queue;
  readonly #timer: ReviewTimer;
  #notBefore = 0;
  /** On whole gaps, so that there is one for all that fall due about then. */
  readonly #dues = new Set<number>();

  constructor(queue: Queue, timer = systemTimer) {
    this.#queue = queue;
    this.#timer = timer;
  }

  /** At once, where the latest review is long enough ago. */
  soon(): void {
    if (this.#queue.size > 0) this.in(0);
  }

  /** After that time, or a little later. */
  in(delayMs: number): void {
    const now = this.#timer.now();
    const due = Math.max(now + delayMs, this.#notBefore);
    if (due <= now) this.now();
    else this.#arm(Math.ceil(due / LEAST_GAP_MS) * LEAST_GAP_MS, now);
  }

  now(): void {
    const { size } = this.#queue;
    if (size === 0) return;
    this.#notBefore = this.#timer.now() + Math.max(LEAST_GAP_MS, size * MS_PER_WAITER);
    this.#queue.reconsider();
  }

  #arm(due: number, now: number): void {
    if (this.#dues.has(due)) return;
    this.#dues.add(due);
    const review = () => {
      this.#dues.delete(due);
      this.in(0);
    };
    this.#timer.after(due - now, review);
  }
}
