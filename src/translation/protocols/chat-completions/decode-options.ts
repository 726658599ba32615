import type { JsonBody } from '../../../base/json/json-body.ts';
import { present } from '../../../base/json/present.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { Hints, OutputFormat, Sampling, Thinking } from '../../canonical/request.ts';
import { wantsCache } from '../openai/wants-cache.ts';
import type { ChatRequest } from './request-schema.ts';

/** Decodes the parameters of sampling. Null means absent, as in all options. */
export const decodeSampling = (request: ChatRequest): Sampling =>
  present({
    temperature: request.temperature,
    topP: request.top_p,
    topK: request.top_k,
    frequencyPenalty: request.frequency_penalty,
    presencePenalty: request.presence_penalty,
    seed: request.seed,
    stopSequences: typeof request.stop === 'string' ? [request.stop] : request.stop,
  });

const userOf = ({ safety_identifier, user }: ChatRequest): string | undefined =>
  safety_identifier || user || undefined;

/** Either name of the end user is as stable as a conversation, so it replaces a missing cache key. */
export const decodeHints = (request: ChatRequest): Hints =>
  present({
    cacheKey: request.prompt_cache_key || userOf(request),
    wantsCache: wantsCache(request),
    user: userOf(request),
    cacheRetention: request.prompt_cache_retention,
    serviceTier: request.service_tier,
  });

/** Decodes the token limit, the number of answers and the log probabilities. */
export const decodeCounts = (request: ChatRequest) =>
  present({
    maxOutputTokens: request.max_completion_tokens ?? request.max_tokens,
    choices: request.n,
    logprobs: request.logprobs ? present({ top: request.top_logprobs }) : undefined,
  });

/** Decodes thinking. A client that names an effort requires it, and sees the thinking. */
export function decodeThinking({ reasoning_effort: effort }: ChatRequest): { thinking?: Thinking } {
  if (effort === null || effort === undefined) return {};
  const mode = effort === 'none' ? 'disabled' : 'default';
  return { thinking: { mode, effort, effortIsRequired: true, visible: effort !== 'none' } };
}

/** Decodes the format. A schema keeps its bytes. A format that only its host knows counts as text. */
export function decodeFormat({ text }: JsonBody, request: ChatRequest): { format?: OutputFormat } {
  const format = request.response_format;
  if (format === null || format === undefined) return {};
  if (!('json_schema' in format) || format.type !== 'json_schema')
    return { format: { kind: format.type === 'json_object' ? 'json-object' : 'text' } };
  const { name, description, schema, strict } = format.json_schema;
  const schemaText = schema ? sliceJson(text, ['response_format', 'json_schema', 'schema'])! : '{}';
  return {
    format: {
      kind: 'json-schema',
      ...present({ name, description, strict }),
      schema: new RawJson(schemaText),
    },
  };
}
