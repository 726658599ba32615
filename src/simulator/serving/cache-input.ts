import type { Prompt } from '../model/prompt.ts';
import type { SimulatorUsage } from '../model/reply.ts';
import type { PrefixCache } from './prefix-cache.ts';
import type { Prefix } from './prefixes-of.ts';

type InputUsage = Omit<SimulatorUsage, 'output' | 'thinking'>;

/** Takes the prefixes of a prompt into the cache, and returns the tokens that it read and wrote. */
export function cacheInput(cache: PrefixCache, prefixes: Prefix[], caching: Prompt['caching']): InputUsage {
  const { read, write, lifetime } = cache.use(prefixes, caching);
  return { input: prefixes.at(-1)!.tokens, cacheRead: read, cacheWrite: write, cacheLifetime: lifetime };
}
