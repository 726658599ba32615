import { MAX_BODY_BYTES } from '../../base/json/body-sizes.ts';
import type { RecentResponse } from './turn-request.ts';

/** The latest responses of each lane, and no more than a body may have of text. */
const MAX_RESPONSES = 16;

/**
 * The responses of one connection that a later turn can continue without the store.
 * The oldest are forgotten first.
 */
export class RecentResponses {
  readonly #kept = new Map<string, RecentResponse>();

  get(id: string): RecentResponse | undefined {
    return this.#kept.get(id);
  }

  add(recent: RecentResponse): void {
    this.#kept.set(recent.id, recent);
    while (this.#kept.size > MAX_RESPONSES || (this.#kept.size > 1 && this.#length() > MAX_BODY_BYTES))
      this.#kept.delete(this.#kept.keys().next().value!);
  }

  #length(): number {
    return [...this.#kept.values()].reduce((sum, { input, output }) => sum + input.length + output.length, 0);
  }
}
