import { objectOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { NO_USAGE, outputTotal, type Usage, usageOfTotals } from '../../canonical/usage.ts';
import { countOf } from '../../framing/count-of.ts';
import { readUsageDetail } from './read-usage-detail.ts';

/** Returns the counts of the opening event without the output, which is only a token or two at that point. */
export function inputOf(usage: unknown): Fields {
  const { output_tokens, output_tokens_details, ...input } = objectOf(usage);
  return input;
}

/** Reports whether a host has sent usage. Some send an empty object. */
export const hasUsage = (usage: unknown): boolean => isObject(usage) && Object.keys(usage).length > 0;

/**
 * Decodes usage. Input counts exclude cache reads and writes, and output includes thinking. A count that the
 * event omits keeps its earlier value.
 */
export function decodeUsage(counts: Fields, earlier: Usage = NO_USAGE): Usage {
  const total = countOf(counts.output_tokens) ?? outputTotal(earlier);
  const thinking = countOf(objectOf(counts.output_tokens_details).thinking_tokens) ?? earlier.output.thinking;
  const { output } = usageOfTotals({ input: 0, output: total, thinking });
  const detail = readUsageDetail(counts);
  return {
    input: {
      uncached: countOf(counts.input_tokens) ?? earlier.input.uncached,
      cacheRead: countOf(counts.cache_read_input_tokens) ?? earlier.input.cacheRead,
      cacheWrite: countOf(counts.cache_creation_input_tokens) ?? earlier.input.cacheWrite,
    },
    output,
    ...(detail && { detail }),
  };
}

/** Encodes the usage fields that the closing event and the whole message share. */
export function encodeDeltaUsage({ input, output }: Usage = NO_USAGE) {
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

/** Encodes the usage of a whole message, with every member of the vendor's type. */
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
