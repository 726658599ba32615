/** Ten thousand who choose again take some tens of milliseconds: a target that comes and goes must not take all the time. */
const GAP_MS = 1_000;

type Queue = { readonly isEmpty: boolean; reconsider(): void };

/** Lets all who wait choose again when there is a reason, and not more often than now and then. */
export class QueueReview {
  readonly #queue: Queue;
  #latestAt = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;

  constructor(queue: Queue) {
    this.#queue = queue;
  }

  /** At once, where the latest review is long enough ago. */
  soon(): void {
    if (this.#timer || this.#queue.isEmpty) return;
    const leftMs = this.#latestAt + GAP_MS - performance.now();
    if (leftMs <= 0) this.now();
    else this.#timer = setTimeout(() => this.now(), leftMs).unref();
  }

  now(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#latestAt = performance.now();
    this.#queue.reconsider();
  }
}
