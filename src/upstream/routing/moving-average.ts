/** The age at which a value has lost most of its weight. */
const MEMORY_MS = 2_000;
/** The least weight of a new value. At high rates the mean covers about ten values. */
const MIN_WEIGHT = 0.1;
/** The age after which the mean is stale and a new measurement is worthwhile. One value then replaces it. */
const STALE_MS = 10_000;
/** The fewest values for a mean. One slow answer, as on a first connection, proves nothing. */
const MIN_VALUES = 8;

/** Averages times to the first byte, with the most weight on the latest. */
export class MovingAverage {
  #mean = 0;
  #count = 0;
  #takenAt = 0;

  take(value: number, now: number): void {
    if (this.isStale(now)) this.#count = Math.min(this.#count, MIN_VALUES - 1);
    const weight = Math.max(
      MIN_WEIGHT,
      1 - Math.exp((this.#takenAt - now) / MEMORY_MS),
      1 / (this.#count + 1),
    );
    this.#mean += (value - this.#mean) * weight;
    this.#count++;
    this.#takenAt = now;
  }

  /** Returns the mean. Returns undefined if there are too few values. */
  read(): number | undefined {
    return this.#count < MIN_VALUES ? undefined : this.#mean;
  }

  isStale(now: number): boolean {
    return now - this.#takenAt > STALE_MS;
  }
}
