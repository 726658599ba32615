/** The age at which an attempt has lost most of its weight. */
const MEMORY_MS = 2_000;
/** The fewest attempts, by weight, from which the share says something about the target. */
const MIN_ATTEMPTS = 20;

/** Measures the share of a target's latest attempts that have failed. Old attempts fade. */
export class FailureShare {
  #attempts = 0;
  #failures = 0;
  #takenAt = 0;

  take(failed: boolean, now: number): void {
    const weight = Math.exp((this.#takenAt - now) / MEMORY_MS);
    this.#attempts = this.#attempts * weight + 1;
    this.#failures = this.#failures * weight + (failed ? 1 : 0);
    this.#takenAt = now;
  }

  /** Forgets all attempts. */
  forget(): void {
    this.#attempts = 0;
    this.#failures = 0;
  }

  /** The share from 0 to 1, however few the attempts are. */
  get share(): number {
    return this.#attempts === 0 ? 0 : this.#failures / this.#attempts;
  }

  /** The share from 0 to 1. Undefined if there are too few attempts. */
  get known(): number | undefined {
    return this.#attempts < MIN_ATTEMPTS ? undefined : this.share;
  }
}
