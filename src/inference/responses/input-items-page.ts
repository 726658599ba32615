import { invalidParam } from '../../base/errors/invalid-param.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { readLimit } from '../../edge/http/read-limit.ts';
import type { ListedItem } from './listed-item.ts';
import { type Listing, type PageParts, sectionBytes } from './listing.ts';
import { placeOfItem } from './place-of-item.ts';
import type { ListedRange, ResponseLookup } from './response-store.ts';
import { sectionItems } from './section-items.ts';

const MAX_LIMIT = 100;

type PageQuery = { isAscending: boolean; limit: number; after: string | null };

function readQuery(query: string): PageQuery | Refusal {
  const parameters = new URLSearchParams(query);
  const order = parameters.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') return invalidParam('order', "must be 'asc' or 'desc'.");
  const limit = readLimit(parameters.get('limit'), MAX_LIMIT);
  if (limit instanceof Refusal) return limit;
  return { isAscending: order === 'asc', limit, after: parameters.get('after') };
}

/**
 * Returns a page of the model's input items, in the form that the official client reads. The newest item
 * comes first unless `order` is `asc`. Only the items of the page are loaded. Returns undefined if the
 * response does not exist.
 */
export async function inputItemsPage(
  parts: PageParts,
  question: { wanted: ResponseLookup; query: string },
): Promise<string | Refusal | undefined> {
  const query = readQuery(question.query);
  if (query instanceof Refusal) return query;
  const count = await parts.store.countListed(question.wanted);
  if (count === undefined) return undefined;
  const listing = { ...parts, ...question, count };
  const after = query.after === null ? undefined : await placeOfItem(listing, query.after, query);
  if (after instanceof Refusal) return after;
  const range = rangeBehind(after, count, query);
  const items = await loadRange(listing, range);
  if (!Array.isArray(items)) return items;
  const hasMore = query.isAscending ? range.to < count : range.from > 0;
  return pageText(query.isAscending ? items : items.reverse(), hasMore);
}

/** Returns the places of a page: after an item, or from the first end of the listing. */
function rangeBehind(
  after: number | undefined,
  count: number,
  { isAscending, limit }: PageQuery,
): ListedRange {
  if (isAscending) {
    const from = after === undefined ? 0 : after + 1;
    return { from, to: Math.min(count, from + limit) };
  }
  const to = after ?? count;
  return { from: Math.max(0, to - limit), to };
}

const pageText = (items: readonly ListedItem[], hasMore: boolean): string => {
  const idOf = (item: ListedItem | undefined): string => JSON.stringify(item?.id ?? null);
  const data = items.map(({ text }) => text).join(',');
  return `{"object":"list","data":[${data}],"first_id":${idOf(items[0])},"last_id":${idOf(items.at(-1))},"has_more":${hasMore}}`;
};

/** Loads the items of a range. Returns undefined if the response was deleted meanwhile. */
async function loadRange(listing: Listing, range: ListedRange): Promise<ListedItem[] | Refusal | undefined> {
  const { store, loads, wanted } = listing;
  if (range.to <= range.from) return [];
  const sections = await store.placeListed(wanted, range);
  const refusal = await loads.claim(sectionBytes(sections));
  if (refusal) return refusal;
  const items: ListedItem[] = [];
  for (const section of sections) {
    const list = await store.loadSection(section, wanted.keyId);
    if (list === undefined) return undefined;
    items.push(...sectionItems(list, section, { responseId: wanted.id, ...range }));
  }
  return items;
}
