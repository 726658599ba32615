const TICK_MS = 250;
/** Keeps ten seconds, so that a scrape does not miss a spike. */
const KEPT_TICKS = 40;

/** Measures how late timers fire, which is the delay of every request while the event loop is blocked. */
export class EventLoopWatch {
  readonly #delays: number[] = new Array(KEPT_TICKS).fill(0);
  readonly #timer: Timer;
  #next = 0;
  #dueAt = performance.now() + TICK_MS;

  constructor() {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  get longestMs(): number {
    return Math.max(...this.#delays);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = performance.now();
    this.#delays[this.#next] = Math.max(0, now - this.#dueAt);
    this.#next = (this.#next + 1) % KEPT_TICKS;
    this.#dueAt = now + TICK_MS;
  }
}
