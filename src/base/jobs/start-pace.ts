/** Background work starts slowly until this long after the last live request. */
const LIVE_FOR_MS = 1_000;
/**
 * Starting, sending and writing one item costs up to a millisecond of the event loop and two commits. This
 * rate takes a twentieth of the loop.
 */
const PER_SECOND_WHILE_LIVE = 50;
const GAP_MS = 1_000 / PER_SECOND_WHILE_LIVE;

/**
 * Paces the start of background work: one item at a time while there are live requests, otherwise all at
 * once.
 */
export class StartPace {
  readonly #now: () => number;
  #lastLiveAt = Number.NEGATIVE_INFINITY;
  #nextStartAt = 0;

  /** `now` must be a monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records a live request. */
  live(): void {
    this.#lastLiveAt = this.#now();
  }

  /** Reports whether there has been no live request for a while. */
  get isQuiet(): boolean {
    return this.#now() - this.#lastLiveAt > LIVE_FOR_MS;
  }

  /** Returns how many items may start now. */
  allowance(): number {
    if (this.isQuiet) return Number.POSITIVE_INFINITY;
    return this.#now() >= this.#nextStartAt ? 1 : 0;
  }

  began(): void {
    this.#nextStartAt = this.#now() + GAP_MS;
  }

  /** The time until another item may start. */
  get waitMs(): number {
    return Math.max(0, this.#nextStartAt - this.#now());
  }
}
