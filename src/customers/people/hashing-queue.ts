import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { Refusal } from '../../base/errors/refusal.ts';

/** The client that a hash is computed for. */
export type HashingGuest = {
  /** The widest network of the client. Networks take turns. */
  network: string;
  /** The device of an earlier sign-in of the person. */
  device?: string | undefined;
};

/** A hash that waits for its turn. */
type Waiting = { guest: HashingGuest; start(): void; refuse(refusal: Refusal): void };

export type HashingQueueOptions = {
  /** The most hashes that are computed at a time. Half of the cores stay free for requests. */
  atOnce?: number;
  maxWaiting?: number;
};

const MAX_WAITING = 32;
/** A first guess of a hash's time. Later ones are measured. */
const FIRST_HASH_MS = 100;
const LOCAL: HashingGuest = { network: 'local' };

/**
 * Bounds the hashing of passwords, which costs more than all else in a request. Waiting networks take turns,
 * and each known device has a place of its own.
 * When all places are taken, the network with the most places gives one up.
 */
export class HashingQueue {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  readonly #guests = new AsyncLocalStorage<HashingGuest>();
  readonly #byDevice = new Map<string, Waiting>();
  readonly #byNetwork = new Map<string, Waiting[]>();
  #waiting = 0;
  #underWay = 0;
  #hashMs = FIRST_HASH_MS;
  #wasDevice = false;

  constructor({ atOnce, maxWaiting }: HashingQueueOptions = {}) {
    this.#atOnce = atOnce ?? Math.max(1, Math.floor(availableParallelism() / 2));
    this.#maxWaiting = maxWaiting ?? MAX_WAITING;
  }

  /** Runs work whose hashes wait in the line of the guest. */
  as<Result>(guest: HashingGuest, work: () => Promise<Result>): Promise<Result> {
    return this.#guests.run(guest, work);
  }

  /** Runs one hash in its turn. Rejects with a refusal if no place is free. */
  async run<Result>(hash: () => Promise<Result>): Promise<Result> {
    if (this.#underWay < this.#atOnce) this.#underWay++;
    else await this.#turn(this.#guests.getStore() ?? LOCAL);
    const began = performance.now();
    try {
      return await hash();
    } finally {
      this.#hashMs += (performance.now() - began - this.#hashMs) / 8;
      this.#next();
    }
  }

  #turn(guest: HashingGuest): Promise<void> {
    const { promise, resolve: start, reject: refuse } = Promise.withResolvers<void>();
    const waiting = { guest, start, refuse };
    if (guest.device !== undefined && !this.#byDevice.has(guest.device) && this.#hasDevicePlace())
      this.#byDevice.set(guest.device, waiting);
    else if (this.#waiting < this.#maxWaiting || this.#giveUpPlace(guest.network)) this.#add(waiting);
    else refuse(this.#busy());
    return promise;
  }

  #hasDevicePlace(): boolean {
    return this.#byDevice.size < this.#maxWaiting;
  }

  #add(waiting: Waiting): void {
    const { network } = waiting.guest;
    const line = this.#byNetwork.get(network);
    if (line) line.push(waiting);
    else this.#byNetwork.set(network, [waiting]);
    this.#waiting++;
  }

  /**
   * Refuses the latest one of the network with the most places, if that network has at
   * least two more than the given one.
   */
  #giveUpPlace(network: string): boolean {
    const [longest] = [...this.#byNetwork.values()].sort((a, b) => b.length - a.length);
    if (!longest || longest.length < (this.#byNetwork.get(network)?.length ?? 0) + 2) return false;
    longest.pop()!.refuse(this.#busy());
    this.#waiting--;
    return true;
  }

  /** The place under way passes to the next one: devices and networks alternate. */
  #next(): void {
    const next = this.#wasDevice
      ? (this.#takeOfNetwork() ?? this.#takeOfDevice())
      : (this.#takeOfDevice() ?? this.#takeOfNetwork());
    if (next) next.start();
    else this.#underWay--;
  }

  #takeOfDevice(): Waiting | undefined {
    const [first] = this.#byDevice;
    if (!first) return undefined;
    this.#wasDevice = true;
    this.#byDevice.delete(first[0]);
    return first[1];
  }

  #takeOfNetwork(): Waiting | undefined {
    const [first] = this.#byNetwork;
    if (!first) return undefined;
    this.#wasDevice = false;
    const [network, line] = first;
    const next = line.shift()!;
    // The network goes to the end of the round.
    this.#byNetwork.delete(network);
    if (line.length > 0) this.#byNetwork.set(network, line);
    this.#waiting--;
    return next;
  }

  #busy(): Refusal {
    const ahead = this.#waiting + this.#byDevice.size + this.#underWay;
    return new Refusal('rate_limit_exceeded', {
      message: 'Too many people are signing in right now. Try again in a few seconds.',
      retryAfterMs: Math.max(1_000, (ahead * this.#hashMs) / this.#atOnce),
    });
  }
}
