import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { TokenPrice } from '../../canonical/price-name.ts';
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
  const { counts, others } = calls ? callsOf(tools, items) : { counts: {}, others: [] };
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
const callItems: Readonly<Record<string, 'web_search' | 'image_generation' | null>> = {
  web_search_call: 'web_search',
  image_generation_call: 'image_generation',
  file_search_call: null,
  code_interpreter_call: null,
};

const hasCalls = (items: unknown): boolean =>
  Array.isArray(items) && items.some((item) => Object.hasOwn(callItems, String(objectOf(item).type)));

type Calls = { counts: { web_search?: number; image_generation?: number }; others: string[] };

/** Counts calls by the items of the answer, and by the upstream's own count where it has one. */
function callsOf(tools: unknown, items: unknown): Calls {
  const calls: Calls = { counts: {}, others: [] };
  for (const item of listOf(items)) addItem(calls, objectOf(item));
  for (const [name, reported] of Object.entries(objectOf(tools)))
    addReported(calls, name, objectOf(reported));
  return { ...calls, others: [...new Set(calls.others)] };
}

function addItem({ counts, others }: Calls, { type, action }: Fields): void {
  const name = String(type);
  const price = lookUp(callItems, name);
  // Only searches are charged. Opening a page that was found is not.
  const isFree = price === 'web_search' && isObject(action) && (action.type ?? 'search') !== 'search';
  if (price === undefined || isFree) return;
  if (price === null) others.push(name.replace(/_call$/, ''));
  else counts[price] = (counts[price] ?? 0) + 1;
}

/** The vendor counts searches, but the tokens of images. */
function addReported({ counts, others }: Calls, name: string, reported: Fields): void {
  const count = countOf(reported.num_requests);
  const tokens = countOf(reported.total_tokens) ?? 0;
  if (name === 'web_search' && count !== undefined) counts.web_search = count;
  else if (name === 'image_gen' && tokens > 0) counts.image_generation ??= 1;
  else if (!knownTools.has(name) && (count || tokens)) others.push('tool_usage');
}

/** Returns the tokens of images, which the vendor counts apart from the answer's. */
function imagesOf(tools: Fields): TokensBeside[] {
  const { input_tokens, output_tokens, total_tokens } = objectOf(tools.image_gen);
  const input = countOf(input_tokens) ?? 0;
  const output = countOf(output_tokens) ?? Math.max(0, (countOf(total_tokens) ?? 0) - input);
  return input + output > 0 ? [{ kind: 'image', isIncluded: false, input, cachedInput: 0, output }] : [];
}

/** The members of `tool_usage`. */
export const knownTools: ReadonlySet<string> = new Set(['web_search', 'image_gen']);
