import type { Usage } from '../../canonical/usage.ts';
import { countOf, isObject, objectOf } from '../read-json.ts';

type Counts = Record<string, unknown>;

/** Adds what a later event says to what an earlier one said: counts are cumulative, and neither null nor zero undoes one. */
export function mergeUsage(known: Counts, usage: unknown): Counts {
  const told = Object.entries(objectOf(usage)).filter(([name, count]) => count || !countOf(known[name]));
  return { ...known, ...Object.fromEntries(told) };
}

/** What a message begins with: the output that it tells of is a token or two, and no count of what is to come. */
export function inputOf(usage: unknown): Counts {
  const { output_tokens, output_tokens_details, ...input } = objectOf(usage);
  return input;
}

export const hasUsage = (usage: unknown): boolean => isObject(usage) && Object.keys(usage).length > 0;

/** Input excludes what the cache had or took; output includes thinking. */
export function decodeUsage(counts: Counts): Usage {
  const output = countOf(counts.output_tokens) ?? 0;
  const thinking = countOf(objectOf(counts.output_tokens_details).thinking_tokens);
  return {
    input: {
      uncached: countOf(counts.input_tokens) ?? 0,
      cacheRead: countOf(counts.cache_read_input_tokens),
      cacheWrite: countOf(counts.cache_creation_input_tokens),
    },
    output: { visible: Math.max(0, output - (thinking ?? 0)), thinking },
  };
}

const NOTHING: Usage = { input: { uncached: 0 }, output: { visible: 0 } };

/** The fields that the closing event and the whole message have in common. */
export function encodeDeltaUsage({ input, output }: Usage = NOTHING) {
  const thinking = output.thinking ?? 0;
  return {
    input_tokens: input.uncached,
    cache_creation_input_tokens: input.cacheWrite ?? 0,
    cache_read_input_tokens: input.cacheRead ?? 0,
    output_tokens: output.visible + thinking,
    output_tokens_details: { thinking_tokens: thinking },
    server_tool_use: null,
  };
}

export function encodeUsage(usage: Usage | undefined) {
  const written = usage?.input.cacheWrite ?? 0;
  return {
    ...encodeDeltaUsage(usage),
    cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
    inference_geo: null,
    service_tier: null,
    speed: null,
  };
}
