const SLOTS = 60;

/**
 * Counts usage over the latest window in sixty slots. A slot leaves when it is completely outside the window, so no span of the window's
 * length exceeds the limit. Usage expires at most one slot late.
 */
export class SlidingWindow {
  readonly #slotMs: number;
  /** The slots that overlap the window: one more than its length. */
  readonly #taken = new Float64Array(SLOTS + 1);
  #newest = Number.NEGATIVE_INFINITY;
  #total = 0;

  constructor(lengthMs: number) {
    this.#slotMs = lengthMs / SLOTS;
  }

  total(nowMs: number): number {
    this.#moveTo(nowMs);
    return this.#total;
  }

  take(nowMs: number, amount: number): void {
    this.#moveTo(nowMs);
    this.#add(this.#newest, amount);
  }

  /** Returns an excess to the slot in which it was taken. An excess outside the window no longer counts. */
  giveBack(takenAtMs: number, nowMs: number, amount: number): void {
    this.#moveTo(nowMs);
    const slot = Math.floor(takenAtMs / this.#slotMs);
    if (slot < this.#newest - SLOTS) return;
    this.#add(slot, -Math.min(amount, this.#taken[this.#placeOf(slot)]!));
  }

  /** The time until at most `room` is taken, if nothing is added. */
  waitMs(nowMs: number, room: number): number {
    this.#moveTo(nowMs);
    // Walks from the newest slot to the first one that must leave. All later slots can stay.
    let staying = 0;
    for (let slot = this.#newest; slot >= this.#newest - SLOTS; slot--) {
      staying += this.#taken[this.#placeOf(slot)]!;
      if (staying > room) return this.#leavesAt(slot) - nowMs;
    }
    return 0;
  }

  /** The end of the slot plus the whole window. */
  #leavesAt(slot: number): number {
    return (slot + SLOTS + 1) * this.#slotMs;
  }

  #placeOf(slot: number): number {
    return ((slot % (SLOTS + 1)) + SLOTS + 1) % (SLOTS + 1);
  }

  #add(slot: number, amount: number): void {
    const place = this.#placeOf(slot);
    this.#taken[place] = this.#taken[place]! + amount;
    this.#total += amount;
  }

  /** If the clock goes back, the window does not change. */
  #moveTo(nowMs: number): void {
    const slot = Math.floor(nowMs / this.#slotMs);
    if (slot <= this.#newest) return;
    const passed = Math.min(slot - this.#newest, SLOTS + 1);
    for (let step = 0; step < passed; step++) {
      const place = this.#placeOf(slot - step);
      this.#total -= this.#taken[place]!;
      this.#taken[place] = 0;
    }
    this.#newest = slot;
  }
}
