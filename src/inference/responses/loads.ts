import type { Refusal } from '../../base/errors/refusal.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { BodyGate } from '../../edge/http/body-gate.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { holdMemory } from '../../edge/http/hold-memory.ts';
import type { Principal } from '../../money/auth/principal.ts';

/** The request that loads stored data, with its caller. */
export type LoadCaller = { exchange: Exchange; principal: Principal };

/** The loads of one request. */
export type OwnLoads = {
  count(bytes: number): MaybeLater<Refusal | undefined>;
  claim(bytes: number): Promise<Refusal | undefined>;
};

type LoadsParts = {
  gate: BodyGate;
  /** Counts a load as this many reads, or refuses it. */
  count(exchange: Exchange, principal: Principal, reads: number): MaybeLater<Refusal | undefined>;
};

/** The number of loaded bytes that count as one more read. */
const BYTES_OF_A_READ = 256 * 1024;

/**
 * Counts what a request loads from the store, and books its memory like that of a body before it is loaded.
 */
export class Loads {
  readonly #parts: LoadsParts;
  #turns: Promise<void> = Promise.resolve();

  constructor(parts: LoadsParts) {
    this.#parts = parts;
  }

  /** Refuses the load if the account has loaded too much lately. */
  count({ exchange, principal }: LoadCaller, bytes: number): MaybeLater<Refusal | undefined> {
    const reads = Math.floor(bytes / BYTES_OF_A_READ);
    return reads > 0 ? this.#parts.count(exchange, principal, reads) : undefined;
  }

  /**
   * Counts a load that stays in memory until the answer's head is ready. Also refuses it if no memory becomes
   * free in time.
   */
  async claim(caller: LoadCaller, bytes: number): Promise<Refusal | undefined> {
    return (await this.count(caller, bytes)) ?? (await this.#hold(caller.exchange, bytes));
  }

  /** The loads of a caller. */
  of(caller: LoadCaller): OwnLoads {
    return { count: (bytes) => this.count(caller, bytes), claim: (bytes) => this.claim(caller, bytes) };
  }

  /** The loads of a signed-in person. They use memory like others, and count against no key. */
  ofPerson(exchange: Exchange): OwnLoads {
    return { count: () => undefined, claim: (bytes) => this.#hold(exchange, bytes) };
  }

  async #hold(exchange: Exchange, bytes: number): Promise<Refusal | undefined> {
    const refusal = await holdMemory(exchange, this.#parts.gate.budget, bytes);
    if (!refusal && bytes > BYTES_OF_A_READ) await this.#turn();
    return refusal;
  }

  /** A long text is parsed in one go, so other requests get a turn between two of them. */
  #turn(): Promise<void> {
    this.#turns = this.#turns.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.#turns;
  }
}
