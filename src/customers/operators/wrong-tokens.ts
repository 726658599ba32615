import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { HOUR_MS } from '../../base/lib/units.ts';

export type WrongTokensParts = {
  clock: Clock;
  wait(ms: number): Promise<unknown>;
  /** Writes to the audit log that a network sent that many wrong tokens. */
  record(network: string, wrongTokens: number): Promise<void>;
};

/** The wrong tokens of one network. `nextAt`: the time of the next answer to a wrong token. */
type Series = { count: number; lastAt: number; nextAt: number };

/** Wrong tokens that are answered at once. The next one is slowed and recorded. */
export const FREE_TRIES = 5;
/** From then on a network gets one answer in this time. */
const PACE_MS = 250;
/** A network whose answers would wait longer is refused for a time. */
const MAX_WAIT_MS = 8_000;
/** A series without wrong tokens for this long is forgotten. */
const FORGOTTEN_AFTER_MS = 600_000;
const MAX_NETWORKS = 10_000;
/** Records in an hour, since an attacker can use many networks. */
const MAX_RECORDS = 60;

/**
 * Slows the answers to repeated wrong tokens of a network, and records them. Right tokens never come here.
 */
export class WrongTokens {
  readonly #parts: WrongTokensParts;
  readonly #series = new Map<string, Series>();
  #recordsFrom = Number.NEGATIVE_INFINITY;
  #records = 0;

  constructor(parts: WrongTokensParts) {
    this.#parts = parts;
  }

  /**
   * Counts a wrong token and waits for its turn. Returns a refusal if too many answers of the network wait.
   */
  async slow(network: string): Promise<Refusal | undefined> {
    const now = this.#parts.clock.now();
    const series = this.#seriesOf(network, now);
    series.count++;
    series.lastAt = now;
    if (series.count <= FREE_TRIES) return undefined;
    if (isRecorded(series.count)) await this.#record(network, series.count, now);
    const waitMs = Math.max(series.nextAt, now) + PACE_MS - now;
    if (waitMs > MAX_WAIT_MS) return tooMany(waitMs);
    series.nextAt = now + waitMs;
    await this.#parts.wait(waitMs);
    return undefined;
  }

  get size(): number {
    return this.#series.size;
  }

  /** Moves the network's series to the end of the map, so that the first one is the oldest. */
  #seriesOf(network: string, now: number): Series {
    const existingSeries = this.#series.get(network);
    this.#series.delete(network);
    const isRecent = existingSeries !== undefined && now - existingSeries.lastAt < FORGOTTEN_AFTER_MS;
    const series = isRecent ? existingSeries : { count: 0, lastAt: now, nextAt: now };
    const [oldest] = this.#series.keys();
    if (oldest !== undefined && this.#series.size >= MAX_NETWORKS) this.#series.delete(oldest);
    this.#series.set(network, series);
    return series;
  }

  async #record(network: string, count: number, now: number): Promise<void> {
    if (now - this.#recordsFrom >= HOUR_MS) {
      this.#recordsFrom = now;
      this.#records = 0;
    }
    if (this.#records >= MAX_RECORDS) return;
    this.#records++;
    // A store that is away must not change the answer.
    await this.#parts.record(network, count).catch(() => {});
  }
}

/** A series is recorded when it is slowed, and again whenever it has doubled. */
function isRecorded(count: number): boolean {
  const times = count / (FREE_TRIES + 1);
  return Number.isInteger(Math.log2(times));
}

const tooMany = (retryAfterMs: number): Refusal =>
  new Refusal('rate_limit_exceeded', {
    message: 'Too many requests with a wrong admin token came from this network.',
    retryAfterMs,
  });
