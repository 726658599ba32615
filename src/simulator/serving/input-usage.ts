import type { Prompt } from '../model/prompt.ts';
import type { SimulatorUsage } from '../model/reply.ts';
import type { Tokenizer } from '../model/tokenizer.ts';
import type { PrefixCache } from './prefix-cache.ts';
import type { Prefix } from './prefixes-of.ts';

export type Planner = { tokenizer: Tokenizer; cache: PrefixCache };

type InputUsage = Omit<SimulatorUsage, 'output' | 'thinking'>;

/** Counts the input of a prompt, and takes it into the cache. */
export function inputUsage(
  prefixes: Prefix[],
  { caching }: Pick<Prompt, 'caching'>,
  { cache }: Pick<Planner, 'cache'>,
): InputUsage {
  const { read, write, lifetime } = cache.use(prefixes, caching);
  return { input: prefixes.at(-1)!.tokens, cacheRead: read, cacheWrite: write, cacheLifetime: lifetime };
}
