import { Roster } from '../../base/lib/roster.ts';

type WatchedBody = {
  arrival: Arrival;
  since: number;
  /** The size at the last progress. */
  progressBytes: number;
  /** The time of the last progress. */
  progressAt: number;
  timeoutMs: number;
  /** The time since which the gateway itself takes no more of the body. */
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
  readonly #watched = new Roster<WatchedBody>();

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
    const body: WatchedBody = {
      arrival,
      since,
      progressBytes: arrival.received,
      progressAt: since,
      timeoutMs,
      pausedAt: undefined,
      expire,
    };
    const place = this.#watched.add(body);
    return {
      end: () => this.#watched.leave(place),
      pause() {
        body.pausedAt = performance.now();
      },
      resume() {
        const pausedMs = performance.now() - (body.pausedAt ?? performance.now());
        body.pausedAt = undefined;
        body.since += pausedMs;
        body.progressAt += pausedMs;
      },
    };
  }

  sweep(now = performance.now()): void {
    for (const place of this.#watched.entries()) {
      const body = place.item;
      if (!body || !this.#isOver(body, now)) continue;
      this.#watched.leave(place);
      body.expire();
    }
  }

  #isOver(body: WatchedBody, now: number): boolean {
    if (body.pausedAt !== undefined) return false;
    const { received } = body.arrival;
    if (received - body.progressBytes >= MIN_PROGRESS_BYTES) {
      body.progressBytes = received;
      body.progressAt = now;
    }
    return now - body.since > body.timeoutMs || now - body.progressAt > PROGRESS_MS;
  }
}
