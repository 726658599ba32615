import { drawRequest } from './draw-request.ts';
import type { SentRequest } from './sent-request.ts';
import { modelOf } from './soak-models.ts';

/**
 * The time at which a server could have learned the cached share of a prompt: with the first complete reply
 * of its life to the same prompt.
 */
export class KnownShares {
  readonly #learned: ReadonlyMap<string, readonly number[]>;
  readonly #kills: readonly number[];
  readonly #seed: number;

  constructor(seed: number, sent: readonly SentRequest[], kills: readonly number[]) {
    const complete = sent.filter(({ ending }) => ending === 'complete');
    this.#seed = seed;
    const byName = Map.groupBy(complete, (one) =>
      this.#nameOf(one, modelOf(drawRequest(seed, one.number).model).id),
    );
    this.#learned = new Map([...byName].map(([name, some]) => [name, some.map(({ endedAt }) => endedAt)]));
    this.#kills = kills;
  }

  isKnown(sent: SentRequest, served: string): boolean {
    const { sentAt } = sent;
    const startedAt = this.#kills.findLast((at) => at < sentAt) ?? 0;
    const times = this.#learned.get(this.#nameOf(sent, served)) ?? [];
    return times.some((at) => startedAt < at && at < sentAt);
  }

  #nameOf({ keyId, number }: SentRequest, model: string): string {
    const { prompts } = drawRequest(this.#seed, number);
    return JSON.stringify([keyId, model, ...prompts.map(({ input }) => input)]);
  }
}
