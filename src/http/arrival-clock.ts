import { Refusal } from '../errors/refusal.ts';
import type { Exchange } from './exchange.ts';

type Deadline = { at: number; exchange: Exchange; isOver: boolean };
type Watched = { arrival: Arrival; since: number; expire: () => void };

/** A body on its way in; who reads it counts. */
export type Arrival = { received: number };

/** A counted body is given this long to get going, and from then on has to have come at this pace on average. */
const GRACE_MS = 5_000;
const MIN_BYTES_PER_MS = 64;

/** Ends bodies that trickle in. One sweep now and then over those being read is cheaper than a timer for each. */
export class ArrivalClock {
  readonly #timeoutMs: number;
  readonly #reading = new Set<Deadline>();
  readonly #watched = new Set<Watched>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** For a body that is read whole: nobody sees how far it is, so that it is the exchange that ends. */
  async withinTime<T>(exchange: Exchange, read: Promise<T>): Promise<T | Refusal> {
    const deadline: Deadline = { at: performance.now() + this.#timeoutMs, exchange, isOver: false };
    this.#reading.add(deadline);
    try {
      const body = await read;
      return deadline.isOver ? tooLate() : body;
    } finally {
      this.#reading.delete(deadline);
    }
  }

  /** For a body that is counted: `expire` is called once when it is late or too slow. Returns how to end the watch. */
  watch(arrival: Arrival, expire: () => void): () => void {
    const watched: Watched = { arrival, since: performance.now(), expire };
    this.#watched.add(watched);
    return () => void this.#watched.delete(watched);
  }

  sweep(now = performance.now()): void {
    for (const watched of this.#watched) {
      if (!this.#isTooSlow(watched, now)) continue;
      this.#watched.delete(watched);
      watched.expire();
    }
    for (const deadline of this.#reading) {
      if (deadline.at > now) return; // inserted in order: the rest is younger
      this.#reading.delete(deadline);
      deadline.isOver = true;
      deadline.exchange.interrupt?.(tooLate());
    }
  }

  #isTooSlow({ arrival, since }: Watched, now: number): boolean {
    const elapsedMs = now - since;
    return (
      elapsedMs > this.#timeoutMs || (elapsedMs > GRACE_MS && arrival.received < elapsedMs * MIN_BYTES_PER_MS)
    );
  }
}

/** What is left of the body must not be taken for the next request. */
export const tooLate = (): Refusal =>
  new Refusal('invalid_request', {
    message: 'The body did not arrive in time.',
    headers: { connection: 'close' },
  });
