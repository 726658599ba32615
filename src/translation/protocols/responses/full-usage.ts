import type { JsonObject } from '../../../base/json/json-body.ts';
import { objectOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { showsPrice, withoutPrice } from '../openai/shows-price.ts';
import { decodeUsage, encodeUsage } from './usage.ts';

/**
 * Returns the usage with every required count, unknown ones as zero. Returns undefined if the host's usage is
 * complete, equals the billed usage and shows no price.
 */
export function fullUsage(value: unknown, billed = decodeUsage(value)): string | undefined {
  const whole = encodeUsage(billed);
  if (billed?.isEstimated) return JSON.stringify(whole);
  const usage = objectOf(value);
  const { input_tokens_details: input, output_tokens_details: output } = usage;
  const isComplete =
    isObject(input) &&
    isObject(output) &&
    !showsPrice(usage) &&
    hasAll({ ...usage, ...input, ...output }, flatCounts(whole));
  if (isComplete) return undefined;
  return JSON.stringify({
    ...withoutPrice(usage),
    ...whole,
    input_tokens_details: { ...objectOf(input), ...whole.input_tokens_details },
    output_tokens_details: { ...objectOf(output), ...whole.output_tokens_details },
  });
}

const flatCounts = ({
  input_tokens_details,
  output_tokens_details,
  ...totals
}: ReturnType<typeof encodeUsage>) => ({
  ...totals,
  ...input_tokens_details,
  ...output_tokens_details,
});

const hasAll = (usage: JsonObject, counts: Readonly<Record<string, number>>): boolean =>
  Object.entries(counts).every(([name, count]) => usage[name] === count);
