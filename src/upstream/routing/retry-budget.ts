/** The part of a retry that each first attempt adds. */
const SHARE = 0.1;
/** Allows retries where there is little traffic. */
const FLOOR_PER_MS = 10 / 1_000;
const MAX_TOKENS = 100;

/** Limits the retries at an unhealthy target to a tenth of its traffic, and to at least ten a second. */
export class RetryBudget {
  #tokens = MAX_TOKENS;
  #filledAt = 0;

  noteAttempt(): void {
    this.#tokens = Math.min(MAX_TOKENS, this.#tokens + SHARE);
  }

  has(now: number): boolean {
    this.#tokens = Math.min(MAX_TOKENS, this.#tokens + (now - this.#filledAt) * FLOOR_PER_MS);
    this.#filledAt = now;
    return this.#tokens >= 1;
  }

  spend(): void {
    this.#tokens -= 1;
  }
}
