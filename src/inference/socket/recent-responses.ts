import { MAX_BODY_BYTES } from '../../base/json/body-sizes.ts';

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
 * first.
 */
export class RecentResponses {
  readonly #responses = new Map<string, RecentResponse>();

  get(id: string): RecentResponse | undefined {
    return this.#responses.get(id);
  }

  add(recent: RecentResponse): void {
    this.#responses.set(recent.id, recent);
    while (
      this.#responses.size > MAX_RESPONSES ||
      (this.#responses.size > 1 && this.#length() > MAX_BODY_BYTES)
    )
      this.#responses.delete(this.#responses.keys().next().value!);
  }

  #length(): number {
    return [...this.#responses.values()].reduce(
      (sum, { input, output }) => sum + input.length + output.length,
      0,
    );
  }
}
