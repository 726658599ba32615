const BINS = 60;

/**
 * Counts usage over the latest window in sixty bins. A bin leaves one window after its last use, so no span
 * of the window's length exceeds the limit, and no caller waits longer than the window.
 */
export class SlidingWindow {
  readonly #lengthMs: number;
  readonly #binMs: number;
  /** The bins that overlap the window: one more than its length. */
  readonly #taken = new Float64Array(BINS + 1);
  /** The time of the last use of each bin. */
  readonly #usedAt = new Float64Array(BINS + 1);
  #newest = Number.NEGATIVE_INFINITY;
  #total = 0;

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
    this.#binMs = lengthMs / BINS;
  }

  total(nowMs: number): number {
    this.#moveTo(nowMs);
    return this.#total;
  }

  take(nowMs: number, amount: number): void {
    this.#moveTo(nowMs);
    this.#add(this.#newest, amount);
    const place = this.#placeOf(this.#newest);
    // If the clock went back, the use counts as one at the start of the newest bin.
    this.#usedAt[place] = Math.max(this.#usedAt[place]!, nowMs, this.#newest * this.#binMs);
  }

  /** Returns an excess to the bin in which it was taken. An excess outside the window no longer counts. */
  giveBack(takenAtMs: number, nowMs: number, amount: number): void {
    this.#moveTo(nowMs);
    const bin = Math.floor(takenAtMs / this.#binMs);
    if (bin < this.#newest - BINS) return;
    this.#add(bin, -Math.min(amount, this.#taken[this.#placeOf(bin)]!));
  }

  /** Returns the time until at most `space` is taken, if nothing is added. */
  waitMs(nowMs: number, space: number): number {
    this.#moveTo(nowMs);
    // Walks from the newest bin to the first one that must leave. All later bins can stay.
    let staying = 0;
    for (let bin = this.#newest; bin >= this.#newest - BINS; bin--) {
      staying += this.#taken[this.#placeOf(bin)]!;
      if (staying > space) return this.#leavesAt(bin) - nowMs;
    }
    return 0;
  }

  /**
   * Returns the time until the window admits an amount. An amount above the limit passes if the window is
   * empty.
   */
  waitMsFor(amount: number, limit: number, nowMs: number): number {
    const taken = this.total(nowMs);
    return taken === 0 || taken + amount <= limit ? 0 : this.waitMs(nowMs, Math.max(0, limit - amount));
  }

  /** Returns the bins with usage and their amounts, for a node that writes back what it took. */
  filled(nowMs: number): [bin: number, amount: number][] {
    this.#moveTo(nowMs);
    const bins = Array.from({ length: BINS + 1 }, (_, age): [number, number] => {
      const bin = this.#newest - age;
      return [bin, this.#taken[this.#placeOf(bin)]!];
    });
    return bins.filter(([, amount]) => amount > 0);
  }

  /** The last use of the bin plus the whole window. */
  #leavesAt(bin: number): number {
    return this.#usedAt[this.#placeOf(bin)]! + this.#lengthMs;
  }

  #placeOf(bin: number): number {
    return ((bin % (BINS + 1)) + BINS + 1) % (BINS + 1);
  }

  #add(bin: number, amount: number): void {
    const place = this.#placeOf(bin);
    this.#taken[place] = this.#taken[place]! + amount;
    this.#total += amount;
  }

  /** If the clock goes back, the window does not change. */
  #moveTo(nowMs: number): void {
    const bin = Math.floor(nowMs / this.#binMs);
    if (bin > this.#newest) {
      const passed = Math.min(bin - this.#newest, BINS + 1);
      for (let step = 0; step < passed; step++) this.#clear(bin - step);
      this.#newest = bin;
    }
    const oldest = this.#newest - BINS;
    if (this.#leavesAt(oldest) <= nowMs) this.#clear(oldest);
  }

  #clear(bin: number): void {
    const place = this.#placeOf(bin);
    this.#total -= this.#taken[place]!;
    this.#taken[place] = 0;
    this.#usedAt[place] = 0;
  }
}
