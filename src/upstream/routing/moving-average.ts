/** What lies so far back has lost most of its weight. */
const MEMORY_MS = 2_000;
/** The least weight of a new value: at high rates a mean over some ten of them. */
const LEAST_WEIGHT = 0.1;
/** After so long without a value it is worth finding out whether things are better; one value is then enough to know. */
const STALE_MS = 10_000;
/** One slow answer, as a first connection gives, proves nothing. */
const FEWEST_VALUES = 8;

/** Times to the first byte, the latest counting most. */
export class MovingAverage {
  #mean = 0;
  #count = 0;
  #takenAt = 0;

  take(value: number, now: number): void {
    if (this.#count > 0 && now - this.#takenAt > STALE_MS) this.#count = FEWEST_VALUES - 1;
    const weight = Math.max(
      LEAST_WEIGHT,
      1 - Math.exp((this.#takenAt - now) / MEMORY_MS),
      1 / (this.#count + 1),
    );
    this.#mean += (value - this.#mean) * weight;
    this.#count++;
    this.#takenAt = now;
  }

  /** Undefined when too few are known. */
  read(): number | undefined {
    return this.#count < FEWEST_VALUES ? undefined : this.#mean;
  }

  isStale(now: number): boolean {
    return now - this.#takenAt > STALE_MS;
  }
}
