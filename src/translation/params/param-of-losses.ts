import type { LossCode } from '../canonical/loss.ts';

/**
 * The fields that can cause each loss, by the chat dialect's names. A loss without an entry comes from the
 * conversation.
 */
const fieldsOfLoss: Partial<Record<LossCode, readonly string[]>> = {
  'cache-retention': ['prompt_cache_retention', 'prompt_cache_options', 'cache_control'],
  'code-execution': ['tools'],
  'computer-use': ['tools'],
  'context-management': ['context_management', 'compaction'],
  'effort-lowered': ['reasoning_effort'],
  'file-search': ['tools'],
  'freeform-tool': ['tools'],
  'image-generation': ['tools'],
  'logit-bias': ['logit_bias'],
  logprobs: ['logprobs'],
  'max-tool-calls': ['max_tool_calls'],
  mcp: ['tools'],
  metadata: ['metadata'],
  moderation: ['moderation'],
  'namespace-flattened': ['tools'],
  'opaque-tool': ['tools'],
  'output-format': ['response_format'],
  'parallel-tool-calls': ['parallel_tool_calls'],
  penalty: ['frequency_penalty', 'presence_penalty'],
  prediction: ['prediction'],
  'programmatic-calls': ['tools'],
  sampling: ['temperature', 'top_p'],
  seed: ['seed'],
  'service-tier': ['service_tier'],
  speed: ['speed'],
  store: ['store'],
  'strict-tool': ['tools'],
  'thinking-budget': ['thinking'],
  'tool-choice': ['tool_choice'],
  'tool-search': ['tools'],
  'top-k': ['top_k'],
  truncation: ['truncation'],
  'user-hint': ['safety_identifier', 'user', 'user_profile_id'],
  verbosity: ['verbosity'],
  'web-search': ['tools'],
};

/** The client's body, and the names of fields in its dialect where they differ. */
type AskedParams = {
  body: Readonly<Record<string, unknown>>;
  paramNames?: Readonly<Record<string, string>> | undefined;
};

/** Returns the client's field that caused all losses, if there is exactly one. */
export function paramOfLosses(
  codes: readonly LossCode[],
  { body, paramNames = {} }: AskedParams,
): string | undefined {
  const fields = codes.map((code) =>
    (fieldsOfLoss[code] ?? [])
      .map((field) => paramNames[field] ?? field)
      .filter((name) => body[name.split('.', 1)[0]!] != null),
  );
  const causes = new Set(fields.flat());
  return causes.size === 1 && fields.every(({ length }) => length === 1) ? [...causes][0] : undefined;
}
