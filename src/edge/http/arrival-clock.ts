import { Roster } from '../../base/lib/roster.ts';

type Watched = {
  arrival: Arrival;
  since: number;
  /** The size at the last progress. */
  seen: number;
  /** The time of the last progress. */
  seenAt: number;
  timeoutMs: number;
  /** Since when the gateway itself takes no more of the body. */
  pausedAt: number | undefined;
  expire: () => void;
};

/** A watch over a body. The time between `pause` and `resume` does not count. */
export type ArrivalWatch = { end(): void; pause(): void; resume(): void };

/** A body that is arriving. Its reader updates the count. */
export type Arrival = { received: number };

/** A counted body must advance by at least this much within the timeout, at any point. */
const MIN_PROGRESS_BYTES = 8 * 1024;
const PROGRESS_MS = 10_000;

/**
 * Ends bodies that have stopped arriving. A periodic sweep over open bodies is cheaper than a timer for each.
 */
export class ArrivalClock {
  readonly #timeoutMs: number;
  readonly #watched = new Roster<Watched>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Watches a counted body. `expire` is called once if the body is late or has stopped. `times` multiplies
   * the time limit of a body that may be larger than others.
   */
  watch(arrival: Arrival, expire: () => void, times = 1): ArrivalWatch {
    const timeoutMs = this.#timeoutMs * times;
    const since = performance.now();
    const watched: Watched = {
      arrival,
      since,
      seen: arrival.received,
      seenAt: since,
      timeoutMs,
      pausedAt: undefined,
      expire,
    };
    const place = this.#watched.add(watched);
    return {
      end: () => this.#watched.leave(place),
      pause() {
        watched.pausedAt = performance.now();
      },
      resume() {
        const pausedMs = performance.now() - (watched.pausedAt ?? performance.now());
        watched.pausedAt = undefined;
        watched.since += pausedMs;
        watched.seenAt += pausedMs;
      },
    };
  }

  sweep(now = performance.now()): void {
    for (const place of this.#watched.entries()) {
      const watched = place.item;
      if (!watched || !this.#isOver(watched, now)) continue;
      this.#watched.leave(place);
      watched.expire();
    }
  }

  #isOver(watched: Watched, now: number): boolean {
    if (watched.pausedAt !== undefined) return false;
    const { received } = watched.arrival;
    if (received - watched.seen >= MIN_PROGRESS_BYTES) {
      watched.seen = received;
      watched.seenAt = now;
    }
    return now - watched.since > watched.timeoutMs || now - watched.seenAt > PROGRESS_MS;
  }
}
