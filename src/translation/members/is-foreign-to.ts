import { foldName } from './fold-name.ts';

/** Members of other protocols. Nearly every host serves several protocols and may understand them. */
// biome-ignore format: a line for each group
const elsewhere: ReadonlySet<string> = new Set([
  'audio', 'background', 'dimensions', 'echo', 'encoding_format', 'format', 'frequency_penalty',
  'function_call', 'functions', 'include', 'input', 'instructions', 'keep_alive', 'logit_bias', 'logprobs',
  'max_completion_tokens', 'max_output_tokens', 'max_tokens', 'max_tool_calls', 'messages', 'metadata',
  'model', 'n', 'options', 'output_config', 'parallel_tool_calls', 'prediction', 'presence_penalty',
  'previous_response_id', 'prompt', 'prompt_cache_key', 'reasoning', 'reasoning_effort',
  'response_format', 'safety_identifier', 'seed', 'stop', 'stop_sequences', 'store', 'stream',
  'stream_options', 'suffix', 'system', 'temperature', 'text', 'think', 'thinking', 'tool_choice',
  'tools', 'top_k', 'top_logprobs', 'top_p', 'truncation', 'user', 'verbosity',
]);

/**
 * Names of the output ceiling in any protocol or server. A name that is not the dialect's own is dropped,
 * since the credit is held for the dialect's own ceiling, and some servers prefer the other name.
 */
// biome-ignore format: a line for each group
const ceilings: readonly string[] = [
  'max_new_tokens', 'max_output_tokens', 'max_completion_tokens', 'max_tokens_to_sample',
  'max_tokens', 'maxOutputTokens', 'num_predict',
];

const passing: ReadonlySet<string> = new Set([...elsewhere].filter((name) => !ceilings.includes(name)));

/** Returns the name before brackets, since some readers of forms read `a[b]` as a member of `a`. */
const rootOf = (folded: string): string =>
  folded.includes('[') ? folded.replace(/(?<=.)\[.*$/s, '') : folded;

/**
 * Returns a test for names that are not a dialect's own, and that some reader takes for one of `names` or for
 * a ceiling. Members that other protocols have pass as they are.
 */
export function isForeignTo(names: readonly string[]): (name: string) => boolean {
  const folded = new Set([...names, ...elsewhere, ...ceilings].map(foldName));
  return (name) => folded.has(rootOf(foldName(name))) && !passing.has(name);
}
