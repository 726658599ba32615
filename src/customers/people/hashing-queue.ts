import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { Refusal } from '../../base/errors/refusal.ts';
import { type HashingGuest, HashingLines } from './hashing-lines.ts';

export type HashingQueueOptions = {
  /** The most hashes that are computed at a time. Half of the cores stay free for requests. */
  atOnce?: number;
  maxWaiting?: number;
};

const MAX_WAITING = 32;
/** The assumed time of a hash, until hashes have been measured. */
const FIRST_HASH_MS = 100;
/** The weight of the latest hash in the mean duration. */
const LATEST_WEIGHT = 1 / 8;
const LOCAL: HashingGuest = { network: 'local' };

/**
 * Bounds the hashing of passwords, which costs more than all else in a request. Waiting networks take turns,
 * and each known device has a place of its own. When all places are taken, the network with the most places
 * gives one up.
 */
export class HashingQueue {
  readonly #atOnce: number;
  readonly #guests = new AsyncLocalStorage<HashingGuest>();
  readonly #lines: HashingLines;
  #underWay = 0;
  #meanHashMs = FIRST_HASH_MS;

  constructor({ atOnce, maxWaiting = MAX_WAITING }: HashingQueueOptions = {}) {
    this.#atOnce = atOnce ?? Math.max(1, Math.floor(availableParallelism() / 2));
    this.#lines = new HashingLines(maxWaiting);
  }

  /** Runs work whose hashes wait in the line of the guest. */
  as<Result>(guest: HashingGuest, work: () => Promise<Result>): Promise<Result> {
    return this.#guests.run(guest, work);
  }

  /** Runs one hash in its turn. Rejects with a refusal if no place is free. */
  async run<Result>(hash: () => Promise<Result>): Promise<Result> {
    if (this.#underWay < this.#atOnce) this.#underWay++;
    else await this.#turnOf(this.#guests.getStore() ?? LOCAL);
    const began = performance.now();
    try {
      return await hash();
    } finally {
      this.#meanHashMs += (performance.now() - began - this.#meanHashMs) * LATEST_WEIGHT;
      this.#passOn();
    }
  }

  /** Resolves when the guest's turn has come. */
  #turnOf(guest: HashingGuest): Promise<void> {
    const { promise, resolve: start, reject } = Promise.withResolvers<void>();
    const refuse = () => reject(this.#busy());
    if (!this.#lines.add({ guest, start, refuse })) refuse();
    return promise;
  }

  /** Passes the place of a hash that has ended to the next one. */
  #passOn(): void {
    const next = this.#lines.next();
    if (next) next.start();
    else this.#underWay--;
  }

  #busy(): Refusal {
    const ahead = this.#lines.size + this.#underWay;
    return new Refusal('rate_limit_exceeded', {
      message: 'Too many people are signing in right now. Try again in a few seconds.',
      retryAfterMs: Math.max(1_000, (ahead * this.#meanHashMs) / this.#atOnce),
    });
  }
}
