const BUCKETS = 6;
const BUCKET_MS = 10_000;

/** Counts the attempts and failures of the last minute, in buckets of ten seconds. */
export class OutcomeWindow {
  readonly #attempts = new Uint32Array(BUCKETS);
  readonly #errors = new Uint32Array(BUCKETS);
  /** The period of ten seconds since 1970 that each bucket last counted. An older bucket counts as empty. */
  readonly #periods = new Float64Array(BUCKETS);

  take(failed: boolean, now: number): void {
    const period = Math.floor(now / BUCKET_MS);
    const bucket = period % BUCKETS;
    if (this.#periods[bucket] !== period) {
      this.#periods[bucket] = period;
      this.#attempts[bucket] = 0;
      this.#errors[bucket] = 0;
    }
    this.#attempts[bucket]!++;
    if (failed) this.#errors[bucket]!++;
  }

  sums(now: number): { attempts: number; errors: number } {
    const oldest = Math.floor(now / BUCKET_MS) - BUCKETS + 1;
    const sums = { attempts: 0, errors: 0 };
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      if (this.#periods[bucket]! < oldest) continue;
      sums.attempts += this.#attempts[bucket]!;
      sums.errors += this.#errors[bucket]!;
    }
    return sums;
  }
}
