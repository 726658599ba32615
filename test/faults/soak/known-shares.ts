import { drawRequest } from './draw-request.ts';
import type { SentRequest } from './sent-request.ts';
import { modelOf } from './soak-models.ts';

/**
 * When a server could have learned how much of a key's prompts a model's upstream finds in its cache: with the first complete reply of its
 * life that told it.
 */
export class KnownShares {
  readonly #learned: ReadonlyMap<string, readonly number[]>;
  readonly #kills: readonly number[];

  constructor(seed: number, sent: readonly SentRequest[], kills: readonly number[]) {
    const telling = sent.filter(({ ending }) => ending === 'complete');
    const byName = Map.groupBy(telling, ({ keyId, number }) =>
      nameOf(keyId, modelOf(drawRequest(seed, number).model).id),
    );
    this.#learned = new Map([...byName].map(([name, some]) => [name, some.map(({ endedAt }) => endedAt)]));
    this.#kills = kills;
  }

  isKnown({ keyId, sentAt }: SentRequest, served: string): boolean {
    const startedAt = this.#kills.findLast((at) => at < sentAt) ?? 0;
    const times = this.#learned.get(nameOf(keyId, served)) ?? [];
    return times.some((at) => startedAt < at && at < sentAt);
  }
}

const nameOf = (keyId: string, model: string): string => `${keyId} ${model}`;
