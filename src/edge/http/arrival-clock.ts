import { Roster } from '../../base/lib/roster.ts';

type Watched = {
  arrival: Arrival;
  since: number;
  /** How much had come when it last came on, and when that was. */
  seen: number;
  seenAt: number;
  expire: () => void;
};

/** A body on its way in; who reads it counts. */
export type Arrival = { received: number };

/** A counted body must come on by at least so much within so long, wherever it is. */
const LEAST_PROGRESS_BYTES = 8 * 1024;
const PROGRESS_MS = 10_000;

/** Ends bodies that have stopped coming. One sweep now and then over those being read is cheaper than a timer for each. */
export class ArrivalClock {
  readonly #timeoutMs: number;
  readonly #watched = new Roster<Watched>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** For a body that is counted: `expire` is called once when it is late or has stopped. Returns how to end the watch. */
  watch(arrival: Arrival, expire: () => void): () => void {
    const since = performance.now();
    const place = this.#watched.add({ arrival, since, seen: arrival.received, seenAt: since, expire });
    return () => this.#watched.leave(place);
  }

  sweep(now = performance.now()): void {
    for (const place of this.#watched.places()) {
      const watched = place.item;
      if (!watched || !this.#isOver(watched, now)) continue;
      this.#watched.leave(place);
      watched.expire();
    }
  }

  #isOver(watched: Watched, now: number): boolean {
    const { received } = watched.arrival;
    if (received - watched.seen >= LEAST_PROGRESS_BYTES) {
      watched.seen = received;
      watched.seenAt = now;
    }
    return now - watched.since > this.#timeoutMs || now - watched.seenAt > PROGRESS_MS;
  }
}
