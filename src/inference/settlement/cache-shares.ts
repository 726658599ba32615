import { inputTotal, type Usage } from '../../translation/canonical/usage.ts';

/** The scope in which a prompt may be cached: the conversation that the client names, or else everything that its key sends to a model. */
export type CacheScope = { keyId: string; model: string; conversation: string | undefined };

/** The number of conversations and keys that are remembered. The oldest are forgotten first. */
const MOST_SHARES = 20_000;

type Cached = { share: number; promptTokens: number };

/**
 * Remembers, by conversation and by key, how much of the last prompt was read from a cache. An answer without a usage report is
 * estimated with that share.
 */
export class CacheShares {
  readonly #shares = new Map<string, Cached>();

  /** True if no prompt was ever read from a cache. `note` then has no effect for a usage without cached tokens. */
  get isEmpty(): boolean {
    return this.#shares.size === 0;
  }

  note(scope: CacheScope, usage: Usage): void {
    const promptTokens = inputTotal(usage);
    if (promptTokens === 0) return;
    const share = (usage.input.cacheRead ?? 0) / promptTokens;
    this.#set(nameOfKey(scope), share, promptTokens);
    if (scope.conversation !== undefined) this.#set(nameOfConversation(scope), share, promptTokens);
  }

  /** Estimates the cached tokens of a prompt with the last share. The result is at most the length of the last prompt. */
  likely(scope: CacheScope, promptTokens: number): number {
    const cached = this.#shares.get(nameOfConversation(scope)) ?? this.#shares.get(nameOfKey(scope));
    return cached ? Math.floor(Math.min(cached.share * promptTokens, cached.promptTokens)) : 0;
  }

  #set(name: string, share: number, promptTokens: number): void {
    const known = this.#shares.get(name);
    if (known) {
      known.share = share;
      known.promptTokens = promptTokens;
    } else if (share > 0) {
      this.#shares.set(name, { share, promptTokens });
      if (this.#shares.size > MOST_SHARES) this.#forgetOldest();
    }
  }

  #forgetOldest(): void {
    for (const oldest of this.#shares.keys()) {
      this.#shares.delete(oldest);
      return;
    }
  }
}

const nameOfKey = ({ keyId, model }: CacheScope): string => `${keyId} ${model}`;
const nameOfConversation = (scope: CacheScope): string => `${nameOfKey(scope)} ${scope.conversation}`;
