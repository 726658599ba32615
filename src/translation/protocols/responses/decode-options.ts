import type { JsonBody, JsonObject } from '../../../base/json/json-body.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { present } from '../../../base/json/present.ts';
import { listOf, numberOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { CanonicalRequest, Hints, OutputFormat, Sampling, Thinking } from '../../canonical/request.ts';
import { wantsCache } from '../openai/wants-cache.ts';

export const decodeSampling = ({ temperature, top_p }: JsonObject): Sampling =>
  present({ temperature: numberOf(temperature), topP: numberOf(top_p) });

/** Either name of the end user is as stable as a conversation, so it replaces a missing cache key. */
export function decodeHints(body: JsonObject): Hints {
  const { prompt_cache_key, prompt_cache_retention, safety_identifier, user, service_tier } = body;
  const endUser = textOf(safety_identifier) || textOf(user) || undefined;
  const cacheKey = textOf(prompt_cache_key) || endUser;
  return present({
    cacheKey,
    wantsCache: wantsCache(body),
    user: endUser,
    serviceTier: textOf(service_tier),
    cacheRetention: textOf(prompt_cache_retention),
  });
}

/** Decodes thinking. A client that sends `reasoning` sees the thinking, and an effort is a requirement. */
export function decodeThinking({ reasoning }: JsonObject): Thinking | undefined {
  if (reasoning == null) return undefined;
  const { effort, summary, generate_summary } = objectOf(reasoning);
  return {
    mode: effort === 'none' ? 'disabled' : 'default',
    effortIsRequired: true,
    visible: true,
    ...present({ effort: textOf(effort), display: textOf(summary) ?? textOf(generate_summary) }),
  };
}

/** Decodes the form of the output. Its schema stays as the client sent it. */
export function decodeFormat(body: JsonBody): OutputFormat | undefined {
  const format = objectOf(objectOf(body.value.text).format);
  if (format.type === 'text') return { kind: 'text' };
  if (format.type === 'json_object') return { kind: 'json-object' };
  if (format.type !== 'json_schema') return undefined;
  const schema = sliceJson(memberText(body, 'text'), ['format', 'schema']) ?? '{}';
  const described = present({
    name: textOf(format.name),
    description: textOf(format.description),
    strict: typeof format.strict === 'boolean' ? format.strict : undefined,
  });
  return { kind: 'json-schema', ...described, schema: new RawJson(schema) };
}

/** Decodes log probabilities. Zero `top_logprobs` requests none. */
export function decodeLogprobs({ top_logprobs, include }: JsonObject): Pick<CanonicalRequest, 'logprobs'> {
  const top = Number(top_logprobs ?? 0);
  if (top > 0) return { logprobs: { top } };
  return listOf(include).includes('message.output_text.logprobs') ? { logprobs: {} } : {};
}

export function decodeVerbosity({ text }: JsonObject): Pick<CanonicalRequest, 'verbosity'> {
  const verbosity = textOf(objectOf(text).verbosity);
  return verbosity ? { verbosity } : {};
}
