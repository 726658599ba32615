import type { Tokenizer } from '../model/tokenizer.ts';
import type { PrefixCache } from './prefix-cache.ts';

/** The parts that the plan of an answer uses. */
export type PlanningParts = { tokenizer: Tokenizer; cache: PrefixCache };
