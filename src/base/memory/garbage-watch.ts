import { createResidentBytes } from './create-resident-bytes.ts';

/**
 * `background`: while requests are served, without freeing memory for the system. `now`: all requests wait
 * for it.
 */
export type GarbageCollection = 'background' | 'now';

export type GarbageParts = {
  /** Returns the memory that the process actually holds. */
  residentBytes?: () => number;
  /** Runs the garbage collector. */
  collect?: (collection: GarbageCollection) => void;
};

/** The collector runs when the process has grown by this much that no request has booked. */
const MUCH_BYTES = 96 * 1024 * 1024;
/** The collector runs again when the process has grown by this much more. */
const MORE_BYTES = 32 * 1024 * 1024;
/** A process that changes by less between two sweeps has stopped growing. */
const QUIET_BYTES = 4 * 1024 * 1024;
/** Below this, what requests have booked is in memory. */
const LITTLE_BYTES = 16 * 1024 * 1024;
/** The part of the budget by which garbage may grow further before requests wait for the collector. */
const FURTHER_PART = 1 / 6;

/**
 * Collects garbage that nothing has booked. Streams and small bodies book nothing, but the data that passes
 * through them becomes garbage. The runtime lets garbage grow to the size of the live data, and an idle
 * process keeps it for minutes.
 */
export class GarbageWatch {
  readonly #residentBytes: () => number;
  readonly #collect: (collection: GarbageCollection) => void;
  /** Garbage beyond this is collected at once. */
  readonly #maxBytes: number;
  /** Resident memory that is not booked. */
  #idleBytes: number;
  /** The least that `#idleBytes` has been. */
  #leastIdleBytes: number;
  /** Another collection is due when the process is quiet. */
  #isSettling = false;
  /** The unbooked bytes of the last sweep. */
  #unbookedBytes = 0;
  /** The figure at the last collection in the background. */
  #collectedBytes = 0;

  constructor(budgetBytes: number, parts: GarbageParts = {}) {
    this.#residentBytes = parts.residentBytes ?? createResidentBytes();
    this.#collect = parts.collect ?? ((collection) => Bun.gc(collection === 'now'));
    this.#maxBytes = MUCH_BYTES + Math.min(MUCH_BYTES, budgetBytes * FURTHER_PART);
    this.#idleBytes = this.#residentBytes();
    this.#leastIdleBytes = this.#idleBytes;
  }

  /** Reports whether the process holds more than this in addition to the booked bytes. */
  hasGarbage(bookedBytes: number, moreThan: number): boolean {
    return this.#residentBytes() > this.#idleBytes + bookedBytes + moreThan;
  }

  /** Collects in the gentlest way that is enough. `isServing`: requests have arrived since the last sweep. */
  sweep(bookedBytes: number, isServing: boolean): void {
    const unbooked = this.#residentBytes() - bookedBytes;
    const grown = unbooked - this.#idleBytes;
    const isQuiet = !isServing && Math.abs(unbooked - this.#unbookedBytes) < QUIET_BYTES;
    this.#unbookedBytes = unbooked;
    if (grown > this.#maxBytes || this.#isDue(unbooked, isQuiet)) {
      this.collectNow(bookedBytes);
      // Data that a burst still uses during this collection is garbage soon after it.
      this.#isSettling = grown > MUCH_BYTES;
    } else if (grown > MUCH_BYTES) this.#collectInBackground(unbooked);
    else if (bookedBytes < LITTLE_BYTES) this.#lower(unbooked);
  }

  collectNow(bookedBytes: number): void {
    this.#collect('now');
    // Permanent growth, like the counter's tables, counts as idle memory from now on.
    this.#idleBytes = Math.max(0, this.#residentBytes() - bookedBytes);
    this.#collectedBytes = 0;
  }

  #isDue(unbooked: number, isQuiet: boolean): boolean {
    return this.#isSettling && isQuiet && unbooked > this.#leastIdleBytes + MUCH_BYTES;
  }

  /** The freed memory stays with the process, which uses it for the next requests. */
  #collectInBackground(unbooked: number): void {
    this.#isSettling = true;
    if (unbooked <= this.#collectedBytes + MORE_BYTES) return;
    this.#collectedBytes = unbooked;
    this.#collect('background');
  }

  /** Lowers the idle memory. Requests must hold little, since booked bytes may not be in use yet. */
  #lower(unbooked: number): void {
    this.#idleBytes = Math.min(this.#idleBytes, unbooked);
    this.#leastIdleBytes = Math.min(this.#leastIdleBytes, unbooked);
    this.#collectedBytes = 0;
  }
}
