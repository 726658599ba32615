/** Under so many gaps the mean says nothing. */
const FEWEST_GAPS = 8;
const WEIGHT = 0.1;

/** How often a provider's slots come free while somebody waits: what a wait can be foretold from. */
export class ReleasePace {
  #lastAt: number | undefined;
  #meanGapMs = 0;
  #gaps = 0;

  /** A slot came free, and somebody waited for it. */
  note(now: number): void {
    if (this.#lastAt !== undefined) {
      const gapMs = now - this.#lastAt;
      this.#gaps++;
      this.#meanGapMs += (gapMs - this.#meanGapMs) * Math.max(WEIGHT, 1 / this.#gaps);
    }
    this.#lastAt = now;
  }

  /** Nobody waited: the time until the next release says nothing about the pace. */
  rest(): void {
    this.#lastAt = undefined;
  }

  /** Until it is the turn of somebody behind so many others. Undefined: not enough is known. */
  waitMs(ahead: number): number | undefined {
    return this.#gaps < FEWEST_GAPS ? undefined : (ahead + 1) * this.#meanGapMs;
  }
}
