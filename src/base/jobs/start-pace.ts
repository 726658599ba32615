/** After the last live request, work in the background is still begun with care for so long. */
const LIVE_FOR_MS = 1_000;
/** Beginning, sending and writing one costs up to a millisecond of the event loop and two commits: this much is a twentieth of it. */
const PER_SECOND_WHILE_LIVE = 50;
const GAP_MS = 1_000 / PER_SECOND_WHILE_LIVE;

/** How fast work in the background may be begun: one after the other while somebody waits for answers, else all at once. */
export class StartPace {
  readonly #now: () => number;
  #lastLiveAt = Number.NEGATIVE_INFINITY;
  #nextStartAt = 0;

  /** `now` is a clock that does not go back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A live request has come. */
  live(): void {
    this.#lastLiveAt = this.#now();
  }

  /** Nobody has come for a while. */
  get isQuiet(): boolean {
    return this.#now() - this.#lastLiveAt > LIVE_FOR_MS;
  }

  /** How many may begin now. */
  allowance(): number {
    if (this.isQuiet) return Number.POSITIVE_INFINITY;
    return this.#now() >= this.#nextStartAt ? 1 : 0;
  }

  began(): void {
    this.#nextStartAt = this.#now() + GAP_MS;
  }

  /** Until more may begin. */
  get waitMs(): number {
    return Math.max(0, this.#nextStartAt - this.#now());
  }
}
