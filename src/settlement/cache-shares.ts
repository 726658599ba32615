import { inputTotal, type Usage } from '../canonical/usage.ts';

/** A request, by what its cached prompt is likely to be shared with: its conversation, else its key and model. */
export type CacheScope = { conversation: number; keyId: string; model: string };

/** Conversations and keys that are remembered; the oldest are forgotten. */
const MOST_SHARES = 20_000;

type Cached = { share: number; promptTokens: number };

/** How much of its prompt an upstream last read from a cache, by conversation and by key: what an answer without usage is estimated by. */
export class CacheShares {
  readonly #shares = new Map<string, Cached>();

  /** Nothing was ever read from a cache: `note` is of no use for a usage without cached tokens. */
  get isEmpty(): boolean {
    return this.#shares.size === 0;
  }

  note(scope: CacheScope, usage: Usage): void {
    const total = inputTotal(usage);
    if (total === 0) return;
    const share = (usage.input.cacheRead ?? 0) / total;
    const names = namesOf(scope);
    if (share === 0 && names.every((name) => !this.#shares.has(name))) return;
    for (const name of names) this.#set(name, { share, promptTokens: total });
  }

  /** How much of a prompt is likely to be cached: the last share, and never more than the last prompt was long. */
  likely(scope: CacheScope, promptTokens: number): number {
    for (const name of namesOf(scope)) {
      const cached = this.#shares.get(name);
      if (cached) return Math.floor(Math.min(cached.share * promptTokens, cached.promptTokens));
    }
    return 0;
  }

  #set(name: string, cached: Cached): void {
    this.#shares.delete(name);
    this.#shares.set(name, cached);
    if (this.#shares.size <= MOST_SHARES) return;
    for (const oldest of this.#shares.keys()) {
      this.#shares.delete(oldest);
      return;
    }
  }
}

/** The narrower one first. */
const namesOf = ({ conversation, keyId, model }: CacheScope): string[] => {
  const byKey = `${keyId} ${model}`;
  return conversation === 0 ? [byKey] : [`${byKey} ${conversation}`, byKey];
};
