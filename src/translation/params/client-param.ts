import { valueAt } from '../../base/json/value-at.ts';
import type { Fields } from '../../base/schema/json-type.ts';

/** A field of requests with the names that protocols give it. */
type KnownField = {
  /** The names upstream, in snake case. */
  names: readonly string[];
  /** The paths in the dialects. The first that is in the client's request is the client's own. */
  paths: readonly string[];
};

/** Lists fields that have one name in all protocols. */
const sameInAll = (...names: string[]): KnownField[] =>
  names.map((name) => ({ names: [name], paths: [name] }));

/** Names of containers are absent, so that `generationConfig.maxOutputTokens` is found by its second part. */
const fields: readonly KnownField[] = [
  {
    names: ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_new_tokens'],
    paths: ['max_completion_tokens', 'max_tokens', 'max_output_tokens'],
  },
  { names: ['messages', 'contents', 'input', 'prompt'], paths: ['messages', 'input', 'prompt'] },
  {
    names: ['system', 'system_instruction', 'instructions'],
    paths: ['system', 'instructions', 'messages', 'input'],
  },
  { names: ['tools', 'function_declarations', 'functions'], paths: ['tools', 'functions'] },
  { names: ['tool_choice', 'function_calling_config'], paths: ['tool_choice', 'function_call'] },
  { names: ['stop', 'stop_sequences'], paths: ['stop', 'stop_sequences'] },
  {
    names: ['reasoning_effort', 'reasoning', 'thinking', 'thinking_config', 'effort', 'budget_tokens'],
    paths: ['reasoning_effort', 'reasoning.effort', 'output_config.effort', 'thinking', 'reasoning'],
  },
  {
    // biome-ignore format: a line for each group
    names: [
      'response_format', 'response_schema', 'response_json_schema', 'response_mime_type',
      'output_format', 'format',
    ],
    paths: ['response_format', 'text.format', 'output_config.format', 'output_format'],
  },
  { names: ['n', 'candidate_count'], paths: ['n'] },
  { names: ['top_logprobs', 'logprobs', 'response_logprobs'], paths: ['top_logprobs', 'logprobs'] },
  {
    names: ['parallel_tool_calls', 'disable_parallel_tool_use'],
    paths: ['parallel_tool_calls', 'tool_choice.disable_parallel_tool_use'],
  },
  { names: ['verbosity'], paths: ['verbosity', 'text.verbosity'] },
  ...sameInAll(
    'temperature',
    'top_p',
    'top_k',
    'seed',
    'frequency_penalty',
    'presence_penalty',
    'logit_bias',
  ),
  ...sameInAll('user', 'metadata', 'dimensions', 'encoding_format', 'service_tier', 'store', 'suffix'),
];

const byName = new Map(fields.flatMap((field) => field.names.map((name) => [name, field] as const)));

/** Names at which vendors begin the path of a field, apart from the fields themselves. */
// biome-ignore format: a line for each group
const containers: ReadonlySet<string> = new Set([
  'body', 'query', 'request', 'requests', 'params', 'parameters', 'message', 'content', 'parts', 'part',
  'tool', 'function', 'schema', 'json_schema', 'input_schema', 'properties', 'items',
  'generation_config', 'tool_config', 'inference_config', 'additional_model_request_fields',
  'safety_settings', 'custom', 'source', 'image_url',
]);

/** Reports whether a path of fields can begin with this name, in any protocol. */
export function isFieldName(name: string): boolean {
  const plain = snakeCase(name);
  return containers.has(plain) || byName.has(plain);
}

/**
 * Returns the client's own path of a field that an upstream names, or undefined if the client sent no such
 * field. `isOwnProtocol`: the upstream got the client's own text, so its places are the client's.
 */
export function clientParam(
  upstreamName: string,
  { body, isOwnProtocol }: { body: Fields; isOwnProtocol: boolean },
): string | undefined {
  const parts = upstreamName
    .replace(/^#?\/|^body\./, '')
    .split(/[./[\]]+/)
    .filter((part) => part !== '');
  const [head = ''] = parts;
  if (isOwnProtocol && Object.hasOwn(body, head)) return asPath(parts);
  for (const part of parts) {
    const field = byName.get(snakeCase(part));
    if (field) return field.paths.find((path) => hasValueAt(body, path));
  }
  return undefined;
}

const asPath = ([first = '', ...steps]: readonly string[]): string =>
  steps.reduce((path, step) => path + (/^\d+$/.test(step) ? `[${step}]` : `.${step}`), first);

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const hasValueAt = (body: Fields, path: string): boolean => valueAt(body, path.split('.')) != null;
