import type { Prompt } from '../model/prompt.ts';
import type { CacheLifetime } from '../model/prompt-part.ts';
import type { Prefix } from './prefixes-of.ts';

/** The tokens of a prompt that were read from the cache, and those that were written to it. */
export type CacheUse = { read: number; write: number; lifetime: CacheLifetime };

/** The fewest tokens of a prefix that vendors cache. */
const MIN_TOKENS = 1_024;
/** The tokens of a block. Automatic caches report whole blocks and never the whole prompt. */
const BLOCK_TOKENS = 128;
const MAX_PREFIXES = 20_000;

/** Remembers prefixes and evicts the least recently used ones. */
export class PrefixCache {
  #prefixes = new Set<string>();

  /** Looks the prefixes up, and remembers them. */
  use(prefixes: Prefix[], caching: Prompt['caching']): CacheUse {
    if (caching === 'none') return { read: 0, write: 0, lifetime: '5m' };
    const candidates = prefixes.filter(({ tokens }) => tokens >= MIN_TOKENS);
    return caching === 'marked' ? this.#useMarked(candidates) : this.#useAutomatic(candidates);
  }

  #useAutomatic(candidates: Prefix[]): CacheUse {
    const hit = this.#longestSeen(candidates);
    this.#remember(candidates);
    return { read: Math.floor(Math.max(0, hit - 1) / BLOCK_TOKENS) * BLOCK_TOKENS, write: 0, lifetime: '5m' };
  }

  #useMarked(candidates: Prefix[]): CacheUse {
    const last = candidates.findLastIndex(({ breakpoint }) => breakpoint);
    if (last < 0) return { read: 0, write: 0, lifetime: '5m' };
    const covered = candidates.slice(0, last + 1);
    const cachedLength = this.#longestSeen(covered);
    this.#remember(covered.filter(({ breakpoint }) => breakpoint));
    return {
      read: cachedLength,
      write: covered[last]!.tokens - cachedLength,
      lifetime: covered[last]!.breakpoint!,
    };
  }

  #longestSeen(candidates: Prefix[]): number {
    return candidates.findLast(({ hash }) => this.#prefixes.has(hash))?.tokens ?? 0;
  }

  #remember(prefixes: Prefix[]): void {
    for (const { hash } of prefixes) {
      this.#prefixes.delete(hash);
      this.#prefixes.add(hash);
    }
    for (const oldest of this.#prefixes) {
      if (this.#prefixes.size <= MAX_PREFIXES) break;
      this.#prefixes.delete(oldest);
    }
  }
}
