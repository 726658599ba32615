import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { CallPrice, TokenPrice } from '../../canonical/price-name.ts';
import { ORDINARY_TIERS, tierPrice } from '../../canonical/service-tiers.ts';
import { detailOf, type TokensBeside, type UsageDetail } from '../../canonical/usage-detail.ts';
import { countOf } from '../../framing/count-of.ts';

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
export type DetailSource = {
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
  const calls = isObject(tools) || hasCalls(items);
  const isNewTier = !factor && typeof tier === 'string' && !ordinaryTiers.has(tier);
  if (!factor && !audioIn && !audioOut && !isObject(writes) && !calls && !isNewTier) return undefined;
  const { counts, others } = calls ? callsOf(tools, items) : NO_CALLS;
  return detailOf({
    counts: {
      ...(isObject(writes) && writesOf(writes)),
      audio_input: audioIn ?? 0,
      audio_output: audioOut ?? 0,
      ...counts,
    },
    beside: isObject(tools) ? imagesOf(tools) : [],
    factors: factor ? [factor] : [],
    others: isNewTier ? [...others, 'service_tier'] : others,
  });
}

const NO_CALLS = { counts: {}, others: [] };

function writesOf(details: Fields): Partial<Record<TokenPrice, number>> {
  const writes: Partial<Record<TokenPrice, number>> = {};
  for (const [name, value] of Object.entries(details)) {
    const price = lifetimes.find(([word]) => word.test(name))?.[1];
    const count = countOf(value);
    if (price && count) writes[price] = count;
  }
  return writes;
}

/**
 * The items of hosted tools, and the price of each.
 * `null` means that the item is paid, but has no price in the catalog.
 */
const callItems: Readonly<Record<string, CallPrice | null>> = {
  web_search_call: 'web_search',
  image_generation_call: 'image_generation',
  file_search_call: null,
  code_interpreter_call: null,
};

const hasCalls = (items: unknown): boolean =>
  Array.isArray(items) && items.some((item) => Object.hasOwn(callItems, String(objectOf(item).type)));

/** Counts calls by the items of the answer, and by the upstream's own count if it has one. */
function callsOf(tools: unknown, items: unknown): Pick<Required<UsageDetail>, 'counts' | 'others'> {
  const paid = listOf(items)
    .map(objectOf)
    .filter(isPaid)
    .map(({ type }) => String(type));
  const shown = (price: CallPrice | null): string[] => paid.filter((type) => callItems[type] === price);
  const { web_search, image_gen } = objectOf(tools);
  const searches = countOf(objectOf(web_search).num_requests) ?? shown('web_search').length;
  // The vendor counts the tokens of images, and not the images.
  const images =
    shown('image_generation').length || Math.min(1, countOf(objectOf(image_gen).total_tokens) ?? 0);
  const unpriced = shown(null).map((type) => type.replace(/_call$/, ''));
  const others = usesOtherTools(tools) ? [...unpriced, 'tool_usage'] : unpriced;
  return { counts: { web_search: searches, image_generation: images }, others: [...new Set(others)] };
}

/** Only searches are charged. Opening a page that was found is not. */
function isPaid({ type, action }: Fields): boolean {
  const price = lookUp(callItems, String(type));
  const isSearch = !isObject(action) || (action.type ?? 'search') === 'search';
  return price === 'web_search' ? isSearch : price !== undefined;
}

const usesOtherTools = (tools: unknown): boolean =>
  Object.entries(objectOf(tools)).some(([name, usage]) => {
    const { num_requests, total_tokens } = objectOf(usage);
    return !knownTools.has(name) && Boolean(countOf(num_requests) || countOf(total_tokens));
  });

/** Returns the tokens of images, which the vendor counts apart from the answer's. */
function imagesOf(tools: Fields): TokensBeside[] {
  const { input_tokens, output_tokens, total_tokens } = objectOf(tools.image_gen);
  const input = countOf(input_tokens) ?? 0;
  const output = countOf(output_tokens) ?? Math.max(0, (countOf(total_tokens) ?? 0) - input);
  return input + output > 0 ? [{ kind: 'image', isIncluded: false, input, cachedInput: 0, output }] : [];
}

/** The members of `tool_usage`. */
export const knownTools: ReadonlySet<string> = new Set(['web_search', 'image_gen']);
