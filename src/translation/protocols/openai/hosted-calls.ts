import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { CallPrice } from '../../canonical/price-name.ts';
import type { DetailCounts } from '../../canonical/usage-detail.ts';
import { countOf } from '../../framing/count-of.ts';

/** The members of `tool_usage` that are billed. Others are reported as usage that no price can name. */
export const billedTools: ReadonlySet<string> = new Set(['web_search', 'image_gen']);

/**
 * The types of the items that show calls of hosted tools, and the price of each.
 * `null` means that the call is paid, but has no price in the catalog.
 */
const pricesByItem: Readonly<Record<string, CallPrice | null>> = {
  web_search_call: 'web_search',
  image_generation_call: 'image_generation',
  file_search_call: null,
  code_interpreter_call: null,
};

/** Reports whether the items of an answer show calls of hosted tools. */
export const showsHostedCalls = (items: unknown): boolean =>
  Array.isArray(items) &&
  items.some((item) => Object.hasOwn(pricesByItem, textOf(objectOf(item).type) ?? ''));

/** `others`: the names of paid calls that no price can name. */
export type HostedCalls = { counts: DetailCounts; others: readonly string[] };

/** Counts calls by the items of the answer, and by the upstream's own count if it has one. */
export function countHostedCalls(toolUsage: unknown, items: unknown): HostedCalls {
  const paidItems = listOf(items).map(objectOf).filter(isPaid);
  const typesAt = (price: CallPrice | null): string[] =>
    paidItems.map(({ type }) => String(type)).filter((type) => pricesByItem[type] === price);
  const { web_search, image_gen } = objectOf(toolUsage);
  const searches = countOf(objectOf(web_search).num_requests) ?? typesAt('web_search').length;
  const images = typesAt('image_generation').length || unseenImages(image_gen);
  const others = typesAt(null).map((type) => type.replace(/_call$/, ''));
  if (usesOtherTools(toolUsage)) others.push('tool_usage');
  return { counts: { web_search: searches, image_generation: images }, others: [...new Set(others)] };
}

/** Only searches are charged. Opening a page that was found is not. */
function isPaid({ type, action }: Fields): boolean {
  const price = lookUp(pricesByItem, textOf(type) ?? '');
  const isSearch = !isObject(action) || (action.type ?? 'search') === 'search';
  return price === 'web_search' ? isSearch : price !== undefined;
}

/** Returns one image for tokens of images in an answer that shows none. The vendor counts only the tokens. */
const unseenImages = (imageUsage: unknown): number => (countOf(objectOf(imageUsage).total_tokens) ? 1 : 0);

const usesOtherTools = (toolUsage: unknown): boolean =>
  Object.entries(objectOf(toolUsage)).some(([tool, usage]) => {
    const { num_requests, total_tokens } = objectOf(usage);
    return !billedTools.has(tool) && Boolean(countOf(num_requests) || countOf(total_tokens));
  });
