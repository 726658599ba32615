import { MAX_BODY_BYTES } from '../../base/json/body-sizes.ts';
import type { SocketMemory } from './socket-memory.ts';

/**
 * A response of the connection that the store does not have, with everything that it continued. `previousId`:
 * the stored response before its input.
 */
export type RecentResponse = {
  id: string;
  model: string;
  previousId: string | undefined;
  input: string;
  output: string;
};

/** The most responses of all lanes. Together they have no more text than a body may have. */
const MAX_RESPONSES = 16;

/**
 * The responses of one connection that a later turn can continue without the store. The oldest are forgotten
 * first, and any that memory is not free for.
 */
export class RecentResponses {
  readonly #memory: Pick<SocketMemory, 'keep'>;
  readonly #responses = new Map<string, RecentResponse>();

  constructor(memory: Pick<SocketMemory, 'keep'>) {
    this.#memory = memory;
  }

  get(id: string): RecentResponse | undefined {
    return this.#responses.get(id);
  }

  /** Returns false if there is no memory for the response. */
  add(recent: RecentResponse): boolean {
    this.#responses.set(recent.id, recent);
    while (
      this.#responses.size > MAX_RESPONSES ||
      (this.#responses.size > 1 && this.#length() > MAX_BODY_BYTES) ||
      !this.#memory.keep('recent', this.#length())
    )
      this.#responses.delete(this.#responses.keys().next().value!);
    return this.#responses.has(recent.id);
  }

  #length(): number {
    return [...this.#responses.values()].reduce(
      (sum, { input, output }) => sum + input.length + output.length,
      0,
    );
  }
}
