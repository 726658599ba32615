/** Under so many gaps the mean says nothing. */
const FEWEST_GAPS = 8;
const WEIGHT = 0.1;

/** How often a provider's slots come free. */
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

  /** The time until the next release is not to count. */
  rest(): void {
    this.#lastAt = undefined;
  }

  /** Until it is the turn of somebody behind so many others. Undefined: not enough is known. */
  waitMs(ahead: number): number | undefined {
    return this.#gaps < FEWEST_GAPS ? undefined : (ahead + 1) * this.#meanGapMs;
  }
}
