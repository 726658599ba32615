import { objectOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { detailOf } from '../../canonical/combine-details.ts';
import type { TokenPrice } from '../../canonical/price-name.ts';
import { ORDINARY_TIERS, tierPrice } from '../../canonical/service-tiers.ts';
import type { SeparateTokens, UsageDetail } from '../../canonical/usage-detail.ts';
import { countOf } from '../../framing/count-of.ts';
import { countHostedCalls, type HostedCalls, showsHostedCalls } from './hosted-calls.ts';

/** The tiers that change no price. A provider's own batches have prices of their own. */
const ordinaryTiers: ReadonlySet<unknown> = new Set([...ORDINARY_TIERS, 'batch', 'scale', '']);

/** The lifetimes of cache writes, under the names that OpenAI's breakdown gives them. */
const lifetimes: readonly (readonly [word: RegExp, price: TokenPrice])[] = [
  [/(^|_)30m(_|$)/, 'cache_write_30m'],
  [/(^|_)12h(_|$)/, 'cache_write_12h'],
  [/(^|_)5m(_|$)/, 'cache_write_5m'],
  [/(^|_)1h(_|$)/, 'cache_write_1h'],
];

/** The places of an answer that say more than its counts. */
type DetailSource = {
  /** The details of the input and output counts. */
  input: unknown;
  output: unknown;
  /** The tier that served the request. */
  tier: unknown;
  /** The calls of hosted tools by tool. */
  tools?: unknown;
  /** The items of the answer, which show the calls too. */
  items?: unknown;
};

const NO_CALLS: HostedCalls = { counts: {}, others: [] };

/**
 * Reads what an answer of an OpenAI protocol says beyond its token counts. An ordinary answer says nothing.
 */
export function readOpenaiDetail({
  input,
  output,
  tier,
  tools,
  items,
}: DetailSource): UsageDetail | undefined {
  const factor = tierPrice(tier);
  const { audio_tokens: soundIn, cache_write_tokens_details: writes } = objectOf(input);
  const audioIn = countOf(soundIn);
  const audioOut = countOf(objectOf(output).audio_tokens);
  const calls = isObject(tools) || showsHostedCalls(items);
  const isNewTier = !factor && typeof tier === 'string' && !ordinaryTiers.has(tier);
  if (!factor && !audioIn && !audioOut && !isObject(writes) && !calls && !isNewTier) return undefined;
  const { counts, others } = calls ? countHostedCalls(tools, items) : NO_CALLS;
  return detailOf({
    counts: {
      ...(isObject(writes) && writesOf(writes)),
      audio_input: audioIn ?? 0,
      audio_output: audioOut ?? 0,
      ...counts,
    },
    separate: isObject(tools) ? imageTokens(tools) : [],
    factors: factor ? [factor] : [],
    others: isNewTier ? [...others, 'service_tier'] : others,
  });
}

function writesOf(details: Fields): Partial<Record<TokenPrice, number>> {
  const writes: Partial<Record<TokenPrice, number>> = {};
  for (const [name, value] of Object.entries(details)) {
    const price = lifetimes.find(([word]) => word.test(name))?.[1];
    const count = countOf(value);
    if (price && count) writes[price] = (writes[price] ?? 0) + count;
  }
  return writes;
}

/** Returns the tokens of images in `tool_usage`, which the vendor counts apart from the answer's. */
function imageTokens({ image_gen }: Fields): SeparateTokens[] {
  const { input_tokens, output_tokens, total_tokens } = objectOf(image_gen);
  const input = countOf(input_tokens) ?? 0;
  const output = countOf(output_tokens) ?? Math.max(0, (countOf(total_tokens) ?? 0) - input);
  return input + output > 0 ? [{ kind: 'image', isIncluded: false, input, cachedInput: 0, output }] : [];
}
