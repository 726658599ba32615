import { ArrivalClock } from './arrival-clock.ts';
import type { UnderWay } from './under-way.ts';

type GateOptions = { capacityBytes: number; timeoutMs: number; underWay: Pick<UnderWay, 'endLate'> };

type Waiter = { weight: number; since: number; admit: (booking: Booking | undefined) => void };

/** What one body holds of the gate. */
export type Booking = {
  /** Gives back what is above `bytes`. */
  shrink(bytes: number): void;
  free(): void;
};

/** Waiting bodies beyond this are refused: each still costs a connection and what it has sent so far. */
const MAX_WAITING = 1_000;
/**
 * Smaller bodies may overtake a larger one for which there is no room yet, so that one body of 10 MB does not stand in the way of ten that
 * fit. After this long nobody overtakes it any more: reading 10 MB takes seconds, so what is held meanwhile comes free in about that time.
 */
const OVERTAKING_MS = 5_000;
const SWEEP_MS = 1_000;

/**
 * Bounds what large request bodies hold in memory together, from the time they are read until they are answered. Who does not get in yet
 * does not read on: the kernel's socket buffers hold the rest. It waits as long as a body may take to arrive.
 */
export class BodyGate {
  readonly clock: ArrivalClock;
  readonly #capacity: number;
  readonly #timeoutMs: number;
  readonly #underWay: Pick<UnderWay, 'endLate'>;
  #free: number;
  readonly #waiting: Waiter[] = [];
  readonly #sweep: Timer;

  constructor({ capacityBytes, timeoutMs, underWay }: GateOptions) {
    this.#capacity = capacityBytes;
    this.#free = capacityBytes;
    this.#timeoutMs = timeoutMs;
    this.#underWay = underWay;
    this.clock = new ArrivalClock(timeoutMs);
    this.#sweep = setInterval(() => this.sweep(), SWEEP_MS);
    this.#sweep.unref();
  }

  /** Undefined when there was no room in time, or even the waiting room is full. */
  book(bytes: number): Promise<Booking | undefined> {
    // A body larger than the whole gate goes in alone.
    const weight = Math.min(bytes, this.#capacity);
    const now = performance.now();
    const oldest = this.#waiting[0];
    if (weight <= this.#free && !(oldest && isOverdue(oldest, now))) {
      return Promise.resolve(this.#admit(weight));
    }
    if (this.#waiting.length >= MAX_WAITING) return Promise.resolve(undefined);
    return new Promise((admit) => {
      this.#waiting.push({ weight, since: now, admit });
    });
  }

  /** Turns away who has waited too long, and ends bodies that come too slowly. The gate calls it every second. */
  sweep(now = performance.now()): void {
    while (this.#waiting.length > 0 && now - this.#waiting[0]!.since > this.#timeoutMs) {
      this.#waiting.shift()!.admit(undefined);
    }
    this.#admitWaiting(now);
    this.clock.sweep(now);
    this.#underWay.endLate(now - this.#timeoutMs);
  }

  close(): void {
    clearInterval(this.#sweep);
  }

  #admit(weight: number): Booking {
    this.#free -= weight;
    let held = weight;
    const shrink = (bytes: number) => {
      if (bytes >= held) return;
      this.#free += held - bytes;
      held = bytes;
      this.#admitWaiting(performance.now());
    };
    return { shrink, free: () => shrink(0) };
  }

  #admitWaiting(now: number): void {
    for (let index = 0; index < this.#waiting.length; ) {
      const waiter = this.#waiting[index]!;
      if (waiter.weight <= this.#free) {
        this.#waiting.splice(index, 1);
        waiter.admit(this.#admit(waiter.weight));
      } else if (isOverdue(waiter, now)) return;
      else index++;
    }
  }
}

const isOverdue = ({ since }: Waiter, now: number): boolean => now - since > OVERTAKING_MS;
