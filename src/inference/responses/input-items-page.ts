import { Refusal } from '../../base/errors/refusal.ts';
import { printable } from '../../base/schema/printable.ts';
import { OWN_ID } from './item-finder.ts';
import type { ListedItem } from './listed-item.ts';
import type { OwnLoads } from './loads.ts';
import type { ListedRange, ListedSection, ResponseLookup, ResponseStore } from './response-store.ts';
import { sectionItems } from './section-items.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
/** The length of text to search before other requests get a turn. */
const SEARCHED_AT_A_TIME = 128 * 1024;

type PageQuery = { isAscending: boolean; limit: number; after: string | null };
/** The store, and the count of what a request loads from it. */
export type PageParts = { store: ResponseStore; loads: OwnLoads };
type Listing = PageParts & { wanted: ResponseLookup; count: number };

const invalid = (param: string, message: string): Refusal =>
  new Refusal('invalid_request', { param, message: `${param} ${message}` });

function readQuery(query: string): PageQuery | Refusal {
  const parameters = new URLSearchParams(query);
  const order = parameters.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') return invalid('order', "must be 'asc' or 'desc'.");
  const limit = parameters.get('limit') ?? String(DEFAULT_LIMIT);
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_LIMIT)
    return invalid('limit', `must be an integer from 1 to ${MAX_LIMIT}.`);
  return { isAscending: order === 'asc', limit: Number(limit), after: parameters.get('after') };
}

/**
 * Returns a page of the model's input items, in the form that the official client reads. The newest item
 * comes first unless `order` is `asc`. Only the items of the page are loaded.
 * Returns undefined if the response does not exist.
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
  const after = query.after === null ? undefined : await placeOf(listing, query.after, query);
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
  const refusal = await loads.claim(bytesOf(sections));
  if (refusal) return refusal;
  const items: ListedItem[] = [];
  for (const section of sections) {
    const list = await store.loadSection(section, wanted.keyId);
    if (list === undefined) return undefined;
    items.push(...sectionItems(list, section, { responseId: wanted.id, ...range }));
  }
  return items;
}

const bytesOf = (sections: readonly ListedSection[]): number =>
  sections.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Finds the place of an item by its id. Ids from the gateway contain the place.
 * For any other id the listing is searched.
 */
async function placeOf(listing: Listing, id: string, { isAscending }: PageQuery): Promise<number | Refusal> {
  const { store, wanted, count } = listing;
  const [, own, isInput, place] = OWN_ID.exec(id) ?? [];
  if (isInput && wanted.id === `resp_${own}` && Number(place) < count) return Number(place);
  const all = await store.placeListed(wanted, { from: 0, to: count });
  const likely = all.filter(({ turnId, isOutput }) => isOutput && turnId === `resp_${own}`);
  const ordered = isAscending ? all : all.reverse();
  const found = (await search(listing, likely, id)) ?? (await search(listing, ordered, id));
  return found ?? invalid('after', `is not an item of this response: '${printable(id, 80)}'.`);
}

async function search(
  { store, loads, wanted }: Listing,
  sections: readonly ListedSection[],
  id: string,
): Promise<number | Refusal | undefined> {
  const refusal = await loads.count(bytesOf(sections));
  if (refusal) return refusal;
  const needle = JSON.stringify(id);
  let searched = 0;
  for (const section of sections) {
    if (searched > SEARCHED_AT_A_TIME) {
      await new Promise((resolve) => setImmediate(resolve));
      searched = 0;
    }
    searched += section.bytes;
    const list = await store.loadSection(section, wanted.keyId);
    if (!list?.includes(needle)) continue;
    const { first, items } = section;
    const shown = sectionItems(list, section, { responseId: wanted.id, from: first, to: first + items });
    const index = shown.findIndex((item) => item.id === id);
    if (index >= 0) return first + index;
  }
  return undefined;
}
