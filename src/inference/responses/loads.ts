import type { Refusal } from '../../base/errors/refusal.ts';
import type { BodyGate } from '../../edge/http/body-gate.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { holdMemory } from '../../edge/http/hold-memory.ts';
import type { Principal } from '../../money/auth/principal.ts';

/** Who has something loaded. */
export type LoadCaller = { exchange: Exchange; principal: Principal };

type LoadsParts = {
  gate: BodyGate;
  /** Counts a load as so many reads, or refuses it. */
  count(exchange: Exchange, principal: Principal, reads: number): Refusal | undefined;
};

/** Every so many bytes that a request has loaded count as another read. */
const BYTES_OF_A_READ = 256 * 1024;

/** What a request has loaded from the store is counted, and its memory booked like that of bodies, before it is loaded. */
export class Loads {
  readonly #parts: LoadsParts;
  #turns: Promise<void> = Promise.resolve();

  constructor(parts: LoadsParts) {
    this.#parts = parts;
  }

  /** A refusal where the account has loaded too much lately. */
  count({ exchange, principal }: LoadCaller, bytes: number): Refusal | undefined {
    const reads = Math.floor(bytes / BYTES_OF_A_READ);
    return reads > 0 ? this.#parts.count(exchange, principal, reads) : undefined;
  }

  /** The same for what stays in memory until the answer's head is ready; a refusal also where there is no room in time. */
  async claim(caller: LoadCaller, bytes: number): Promise<Refusal | undefined> {
    const refusal = this.count(caller, bytes) ?? (await holdMemory(caller.exchange, this.#parts.gate, bytes));
    if (!refusal && bytes > BYTES_OF_A_READ) await this.#turn();
    return refusal;
  }

  /** What is long is parsed in one go: everybody else has a turn between two of them. */
  #turn(): Promise<void> {
    this.#turns = this.#turns.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.#turns;
  }
}
