import { lookUp } from '../../base/lib/records.ts';

/** The preferences that a model can refuse. They are dropped and reported. */
export const refusedPreferences = [
  'sampling',
  'temperature',
  'top_p',
  'top_k',
  'top_p_with_temperature',
  'stop',
  'penalties',
  'seed',
  'logit_bias',
  'verbosity',
  'parallel_tool_calls',
  'service_tier',
  'thinking_budget',
] as const;

/** The word of a host that lacks the endpoint for compactions. The model then writes the summary itself. */
export const COMPACTION = 'compaction';

/** The requirements that a model can refuse. A request with one of them needs another route. */
export const refusedRequirements = ['prefill', 'tools_on_chat', 'forced_tool_choice', 'logprobs'] as const;

export type RefusedPreference = (typeof refusedPreferences)[number];
export type RefusedRequirement = (typeof refusedRequirements)[number];

/** A word of a `refuses` list: one of those above, `service_tier:NAME`, or `image:TYPE`. */
export const REFUSED_WORD = `^(${[...refusedPreferences, ...refusedRequirements, COMPACTION].join('|')}|service_tier:[a-z_]{1,40}|image:[a-z0-9.+-]{1,40})$`;

/** The words that a target refuses. Undefined if it refuses nothing, like most targets. */
export type Refuses = ReadonlySet<string> | undefined;

/** The words that stand for several others. */
const groups = {
  sampling: ['temperature', 'top_p', 'top_k'],
} satisfies Partial<Record<RefusedPreference, RefusedPreference[]>>;

/** Joins `refuses` lists. A word for several others is replaced by them. */
export function joinRefused(lists: readonly (readonly string[])[]): Refuses {
  const words = lists.flat().flatMap((word) => lookUp<readonly string[]>(groups, word) ?? [word]);
  return words.length > 0 ? new Set(words) : undefined;
}
