import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { CallPrice } from '../../canonical/price-name.ts';
import type { DetailCounts, TokensBeside } from '../../canonical/usage-detail.ts';
import { countOf } from '../../framing/count-of.ts';

/** The members of `tool_usage`. */
export const knownTools: ReadonlySet<string> = new Set(['web_search', 'image_gen']);

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

/** Reports whether the items show calls of hosted tools. */
export const hasCalls = (items: unknown): boolean =>
  Array.isArray(items) && items.some((item) => Object.hasOwn(callItems, String(objectOf(item).type)));

/** `others`: the names of paid calls that no price can name. */
export type HostedCalls = { counts: DetailCounts; others: readonly string[] };

/** Counts calls by the items of the answer, and by the upstream's own count if it has one. */
export function callsOf(tools: unknown, items: unknown): HostedCalls {
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
export function imagesOf(tools: Fields): TokensBeside[] {
  const { input_tokens, output_tokens, total_tokens } = objectOf(tools.image_gen);
  const input = countOf(input_tokens) ?? 0;
  const output = countOf(output_tokens) ?? Math.max(0, (countOf(total_tokens) ?? 0) - input);
  return input + output > 0 ? [{ kind: 'image', isIncluded: false, input, cachedInput: 0, output }] : [];
}
