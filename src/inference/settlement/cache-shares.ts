import { inputTotal, type Usage } from '../../translation/canonical/usage.ts';

/** What a prompt may be cached with: the conversation that the client names, else all that its key asks of a model. */
export type CacheScope = { keyId: string; model: string; conversation: string | undefined };

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
    const promptTokens = inputTotal(usage);
    if (promptTokens === 0) return;
    const share = (usage.input.cacheRead ?? 0) / promptTokens;
    this.#set(nameOfKey(scope), share, promptTokens);
    if (scope.conversation !== undefined) this.#set(nameOfConversation(scope), share, promptTokens);
  }

  /** How much of a prompt is likely to be cached: the last share, and never more than the last prompt was long. */
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
