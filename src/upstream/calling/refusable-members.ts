import type { RefusedPreference } from '../../translation/canonical/refused-word.ts';

/** The preferences that the gateway can leave out, by the members that name them on the wires. */
const preferences: Readonly<Record<string, RefusedPreference>> = {
  temperature: 'temperature',
  top_p: 'top_p',
  topP: 'top_p',
  top_k: 'top_k',
  topK: 'top_k',
  presence_penalty: 'penalties',
  frequency_penalty: 'penalties',
  repetition_penalty: 'penalties',
  presencePenalty: 'penalties',
  frequencyPenalty: 'penalties',
  seed: 'seed',
  random_seed: 'seed',
  logit_bias: 'logit_bias',
  verbosity: 'verbosity',
  'text.verbosity': 'verbosity',
  parallel_tool_calls: 'parallel_tool_calls',
  'tool_choice.disable_parallel_tool_use': 'parallel_tool_calls',
  service_tier: 'service_tier',
  serviceTier: 'service_tier',
  stop: 'stop',
  stop_sequences: 'stop',
  stopSequences: 'stop',
  'thinking.budget_tokens': 'thinking_budget',
  'thinking.type.enabled': 'thinking_budget',
  thinkingBudget: 'thinking_budget',
  thinking_budget: 'thinking_budget',
};

/** Errors that begin with a member can capitalize it. */
const preferencesByLowerCase = new Map(
  Object.entries(preferences).map(([member, preference]) => [member.toLowerCase(), preference]),
);

/** The objects in which some wires have these members. */
const HOLDERS = /^(body|generation_?config|inferenceConfig|additionalModelRequestFields|thinking_?config)\./i;

export const refusableMembers: readonly string[] = Object.keys(preferences);

/**
 * Returns the preference that a member states. The member's name may begin with one or two of the objects
 * that hold it.
 */
export const preferenceOf = (member: string): RefusedPreference | undefined =>
  preferencesByLowerCase.get(member.replace(HOLDERS, '').replace(HOLDERS, '').toLowerCase());
