const SLOTS = 60;

/**
 * What was taken in the last window of time, counted in sixty slots. A slot leaves only when all of it is outside the window, so no span
 * of the window's length ever holds more than the limit, and what comes back does so at most one slot late.
 */
export class SlidingWindow {
  readonly #slotMs: number;
  /** The slots that lie wholly or in part in the window: one more than it is long. */
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

  /** Gives back what was taken too much then; what has left the window meanwhile counts no more anyway. */
  giveBack(takenAtMs: number, nowMs: number, amount: number): void {
    this.#moveTo(nowMs);
    const slot = Math.floor(takenAtMs / this.#slotMs);
    if (slot < this.#newest - SLOTS) return;
    this.#add(slot, -Math.min(amount, this.#taken[this.#placeOf(slot)]!));
  }

  /** How long until at most `room` is taken, if nothing is added. */
  waitMs(nowMs: number, room: number): number {
    this.#moveTo(nowMs);
    // From the newest back to the one that has to leave: all that came after it may stay.
    let staying = 0;
    for (let slot = this.#newest; slot >= this.#newest - SLOTS; slot--) {
      staying += this.#taken[this.#placeOf(slot)]!;
      if (staying > room) return this.#leavesAt(slot) - nowMs;
    }
    return 0;
  }

  /** A slot's end, and the whole window after it. */
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

  /** A clock that goes back finds the window as it was: what was taken then stays taken. */
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
