import type { LossCode } from '../../canonical/loss.ts';

/** The members that every host of the protocol knows, and both names of members that some hosts rename. */
// biome-ignore format: a line for each group
export const commonMembers: ReadonlySet<string> = new Set([
  'model', 'messages', 'prompt', 'suffix', 'stream', 'stream_options', 'n', 'stop',
  'max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'seed', 'random_seed',
  'presence_penalty', 'frequency_penalty', 'response_format', 'reasoning_effort',
  'tools', 'tool_choice', 'parallel_tool_calls',
]);

/** The losses from removed members that have a meaning. Other members are removed without a loss. */
export const lossesOfMembers: Readonly<Record<string, LossCode>> = {
  audio: 'opaque-block',
  logit_bias: 'logit-bias',
  metadata: 'metadata',
  moderation: 'moderation',
  prediction: 'prediction',
  prompt_cache_options: 'cache-retention',
  prompt_cache_retention: 'cache-retention',
  safety_identifier: 'user-hint',
  service_tier: 'service-tier',
  store: 'store',
  top_k: 'top-k',
  user: 'user-hint',
  verbosity: 'verbosity',
};
