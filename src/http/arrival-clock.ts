import { Roster } from '../lib/roster.ts';

type Watched = { arrival: Arrival; since: number; expire: () => void };

/** A body on its way in; who reads it counts. */
export type Arrival = { received: number };

/** A counted body is given this long to get going, and from then on has to have come at this pace on average. */
const GRACE_MS = 5_000;
const MIN_BYTES_PER_MS = 64;

/** Ends bodies that trickle in. One sweep now and then over those being read is cheaper than a timer for each. */
export class ArrivalClock {
  readonly #timeoutMs: number;
  readonly #watched = new Roster<Watched>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
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
  }

  #isTooSlow({ arrival, since }: Watched, now: number): boolean {
    const elapsedMs = now - since;
    return (
      elapsedMs > this.#timeoutMs || (elapsedMs > GRACE_MS && arrival.received < elapsedMs * MIN_BYTES_PER_MS)
    );
  }
}
