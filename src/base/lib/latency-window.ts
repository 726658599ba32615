/** The number of recent times that the ring keeps. */
const SIZE = 512;

export type Percentiles = { p50: number; p95: number; p99: number };

/** The most recent latencies. Recording one costs one write, and only percentiles sort them. */
export class LatencyWindow {
  readonly #times = new Float64Array(SIZE);
  #taken = 0;

  take(latencyMs: number): void {
    this.#times[this.#taken % SIZE] = latencyMs;
    this.#taken++;
  }

  /** Returns null while there are no samples. */
  percentiles(): Percentiles | null {
    const count = Math.min(this.#taken, SIZE);
    if (count === 0) return null;
    const sorted = this.#times.slice(0, count).sort();
    const at = (share: number): number => Math.round(sorted[Math.ceil(share * count) - 1]! * 10) / 10;
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
  }
}
