/** Each first attempt pays for a tenth of a retry. */
const SHARE = 0.1;
/** So that retries are possible where there is little traffic. */
const FLOOR_PER_MS = 10 / 1_000;
const MOST = 100;

/** How many further attempts a target that is not well may get: a tenth of its traffic, and ten a second at least. */
export class RetryBudget {
  #tokens = MOST;
  #filledAt = 0;

  noteAttempt(): void {
    this.#tokens = Math.min(MOST, this.#tokens + SHARE);
  }

  has(now: number): boolean {
    this.#tokens = Math.min(MOST, this.#tokens + (now - this.#filledAt) * FLOOR_PER_MS);
    this.#filledAt = now;
    return this.#tokens >= 1;
  }

  spend(): void {
    this.#tokens -= 1;
  }
}
