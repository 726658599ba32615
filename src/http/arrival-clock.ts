import { Refusal } from '../errors/refusal.ts';
import { Roster } from '../lib/roster.ts';
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
  readonly #reading = new Roster<Deadline>();
  readonly #watched = new Roster<Watched>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** For a body that is read whole: nobody sees how far it is, so that it is the exchange that ends. */
  async withinTime<T>(exchange: Exchange, read: Promise<T>): Promise<T | Refusal> {
    const deadline: Deadline = { at: performance.now() + this.#timeoutMs, exchange, isOver: false };
    const place = this.#reading.add(deadline);
    try {
      const body = await read;
      return deadline.isOver ? tooLate() : body;
    } finally {
      this.#reading.leave(place);
    }
  }

  /** For a body that is counted: `expire` is called once when it is late or too slow. Returns how to end the watch. */
  watch(arrival: Arrival, expire: () => void): () => void {
    const place = this.#watched.add({ arrival, since: performance.now(), expire });
    return () => this.#watched.leave(place);
  }

  sweep(now = performance.now()): void {
    for (const place of this.#watched.places()) {
      const watched = place.item;
      if (!watched || !this.#isTooSlow(watched, now)) continue;
      this.#watched.leave(place);
      watched.expire();
    }
    for (const place of this.#reading.places()) {
      const deadline = place.item;
      if (!deadline) continue;
      if (deadline.at > now) return; // inserted in order: the rest is younger
      this.#reading.leave(place);
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
