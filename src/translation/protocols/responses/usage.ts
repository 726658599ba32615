import { objectOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { inputTotal, NO_USAGE, outputTotal, type Usage, usageOfTotals } from '../../canonical/usage.ts';
import { countOf } from '../../framing/count-of.ts';
import { readOpenaiDetail } from '../openai/read-openai-detail.ts';

/** Decodes usage. This API includes cache reads and writes in the input, and reasoning in the output. */
export function decodeUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const input = countOf(value.input_tokens);
  const output = countOf(value.output_tokens);
  if (input === undefined || output === undefined) return undefined;
  const details = objectOf(value.input_tokens_details);
  const thinking = countOf(objectOf(value.output_tokens_details).reasoning_tokens);
  const isSeparate = thinking !== undefined && thinking > output; // the host counts reasoning separately
  return usageOfTotals({
    input,
    cacheRead: countOf(details.cached_tokens),
    cacheWrite: countOf(details.cache_write_tokens),
    output: isSeparate ? output + thinking : output,
    thinking,
  });
}

/**
 * Decodes the usage of a whole response, with the tier and the calls that the response names outside of it.
 */
export function usageOfResponse(response: Readonly<Record<string, unknown>>): Usage | undefined {
  const usage = decodeUsage(response.usage);
  if (usage === undefined) return undefined;
  const { input_tokens_details: input, output_tokens_details: output } = objectOf(response.usage);
  const { service_tier: tier, tool_usage: tools, output: items } = response;
  const detail = readOpenaiDetail({ input, output, tier, tools, items });
  return detail ? { ...usage, detail } : usage;
}

/** Encodes every count of the SDK's type. Unknown counts are zero. */
export function encodeUsage(usage: Usage = NO_USAGE) {
  const input = inputTotal(usage);
  const output = outputTotal(usage);
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.input.cacheRead ?? 0,
      cache_write_tokens: usage.input.cacheWrite ?? 0,
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.output.thinking ?? 0 },
    total_tokens: input + output,
  };
}
