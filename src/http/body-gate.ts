import { Refusal } from '../errors/refusal.ts';

type Waiter = { bytes: number; admit: (admitted: boolean) => void };
type Deadline = { at: number; expire: () => void };

/** Waiting bodies beyond this are refused: each still costs a connection. */
const MAX_WAITING = 10_000;
const SWEEP_MS = 1_000;

/**
 * Bounds what request bodies may hold in memory together. Who does not get in yet does not read: the kernel's socket buffers hold the
 * rest. It also ends bodies that trickle in: one sweep a second over those being read is cheaper than a timer for each.
 */
export class BodyGate {
  #free: number;
  readonly #capacity: number;
  readonly #timeoutMs: number;
  readonly #waiting: Waiter[] = [];
  readonly #reading = new Set<Deadline>();
  readonly #sweep: Timer;

  constructor({ capacityBytes, timeoutMs }: { capacityBytes: number; timeoutMs: number }) {
    this.#capacity = capacityBytes;
    this.#free = capacityBytes;
    this.#timeoutMs = timeoutMs;
    this.#sweep = setInterval(() => this.#expire(), SWEEP_MS);
    this.#sweep.unref();
  }

  tryEnter(bytes: number): boolean {
    if (this.#waiting.length > 0 || this.#weight(bytes) > this.#free) return false;
    this.#free -= this.#weight(bytes);
    return true;
  }

  /** False when even the waiting room is full. */
  enter(bytes: number): Promise<boolean> {
    if (this.#waiting.length >= MAX_WAITING) return Promise.resolve(false);
    return new Promise((admit) => {
      this.#waiting.push({ bytes, admit });
    });
  }

  leave(bytes: number): void {
    this.#free += this.#weight(bytes);
    while (this.#waiting.length > 0 && this.#weight(this.#waiting[0]!.bytes) <= this.#free) {
      const { bytes: next, admit } = this.#waiting.shift()!;
      this.#free -= this.#weight(next);
      admit(true);
    }
  }

  withinTime<T>(read: Promise<T>): Promise<T | Refusal> {
    return new Promise((resolve, reject) => {
      const deadline: Deadline = {
        at: performance.now() + this.#timeoutMs,
        expire: () =>
          resolve(new Refusal('invalid_request', { message: 'The body did not arrive in time.' })),
      };
      this.#reading.add(deadline);
      read.then(
        (value) => {
          this.#reading.delete(deadline);
          resolve(value);
        },
        (error) => {
          this.#reading.delete(deadline);
          reject(error);
        },
      );
    });
  }

  close(): void {
    clearInterval(this.#sweep);
  }

  /** A body larger than the whole gate goes in alone. */
  #weight(bytes: number): number {
    return Math.min(bytes, this.#capacity);
  }

  #expire(): void {
    const now = performance.now();
    for (const deadline of this.#reading) {
      if (deadline.at > now) return; // inserted in order: the rest is younger
      this.#reading.delete(deadline);
      deadline.expire();
    }
  }
}
