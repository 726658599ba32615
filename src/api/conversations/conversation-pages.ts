import { invalidParam } from '../../base/errors/invalid-param.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { elementsOf } from '../../base/json/slice-json.ts';
import { printable } from '../../base/schema/printable.ts';
import { readLimit } from '../../edge/http/read-limit.ts';
import type { NumberedPart } from '../../inference/conversation/conversation-store.ts';

const MAX_LIMIT = 100;

/** An item as clients see it, with its place. */
export type PlacedItem = {
  id: string;
  text: string;
  part: NumberedPart;
  list: 'shownInput' | 'shownOutput';
  index: number;
};

/** Lists the items of a conversation, oldest first. */
export const placedItems = (parts: readonly NumberedPart[]): PlacedItem[] =>
  parts.flatMap((part) =>
    (['shownInput', 'shownOutput'] as const).flatMap((list) =>
      elementsOf(part[list]).map((text, index) => ({ id: idOf(text), text, part, list, index })),
    ),
  );

const idOf = (text: string): string => String((JSON.parse(text) as { id?: unknown }).id ?? '');

export type ItemsQuery = { order: 'asc' | 'desc'; limit: number; after: string | null };

/** Returns the query of a list, or a refusal that names the invalid parameter. */
export function readItemsQuery(query: string): ItemsQuery | Refusal {
  const parameters = new URLSearchParams(query);
  const order = parameters.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') return invalidParam('order', "must be 'asc' or 'desc'.");
  const limit = readLimit(parameters.get('limit'), MAX_LIMIT);
  if (limit instanceof Refusal) return limit;
  const after = parameters.get('after');
  return after === '' ? invalidParam('after', 'must not be empty.') : { order, limit, after };
}

/** Returns a page of the items as JSON. The newest item comes first unless `order` is `asc`. */
export function itemsPage(
  parts: readonly NumberedPart[],
  { order, limit, after }: ItemsQuery,
): string | Refusal {
  const items = placedItems(parts);
  if (order === 'desc') items.reverse();
  const last = after === null ? -1 : items.findIndex(({ id }) => id === after);
  if (after !== null && last < 0)
    return invalidParam('after', `is not an item of this conversation: '${printable(after, 80)}'.`);
  const page = items.slice(last + 1, last + 1 + limit);
  return listText(page, { hasMore: last + 1 + page.length < items.length });
}

/** Returns a list of items as JSON. */
export function listText(
  items: readonly Pick<PlacedItem, 'id' | 'text'>[],
  { hasMore }: { hasMore: boolean },
): string {
  const edge = (item: { id: string } | undefined): string => JSON.stringify(item?.id ?? null);
  const data = items.map(({ text }) => text).join(',');
  return `{"object":"list","data":[${data}],"first_id":${edge(items[0])},"last_id":${edge(items.at(-1))},"has_more":${hasMore}}`;
}
