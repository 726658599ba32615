/** The number of gaps below which the mean says nothing. */
const MIN_GAPS = 8;
const WEIGHT = 0.1;

/** Measures how often a provider's slots come free. */
export class ReleasePace {
  #lastAt: number | undefined;
  #meanGapMs = 0;
  #gaps = 0;

  note(now: number): void {
    if (this.#lastAt !== undefined) {
      const gapMs = now - this.#lastAt;
      this.#gaps++;
      this.#meanGapMs += (gapMs - this.#meanGapMs) * Math.max(WEIGHT, 1 / this.#gaps);
    }
    this.#lastAt = now;
  }

  /** Excludes the time until the next release from the mean. */
  rest(): void {
    this.#lastAt = undefined;
  }

  /**
   * Predicts the wait of a request with `ahead` others before it. Returns undefined if too few gaps are
   * known.
   */
  waitMs(ahead: number): number | undefined {
    return this.#gaps < MIN_GAPS ? undefined : (ahead + 1) * this.#meanGapMs;
  }
}
