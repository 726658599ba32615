import { invalidParam } from '../../base/errors/invalid-param.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { readLimit } from '../../edge/http/read-limit.ts';
import type { CollectionId } from '../stored/batch.ts';
import type { BatchPage } from '../stored/batch-store.ts';

const MAX_LIMIT = 100;

type Bounds = Pick<BatchPage, 'limit' | 'after' | 'before'>;

/** The names of the paging parameters of each collection. */
const boundNames: Record<CollectionId, Partial<Record<'after' | 'before', string>>> = {
  messages: { after: 'after_id', before: 'before_id' },
  chat: { after: 'after' },
};

/** Reads the limit of a page, and the ids that it lies between. */
export function readBounds(collection: CollectionId, query: string): Bounds | Refusal {
  const parameters = new URLSearchParams(query);
  const limit = readLimit(parameters.get('limit'), MAX_LIMIT);
  if (limit instanceof Refusal) return limit;
  const { after, before } = boundNames[collection];
  const boundOf = (name: string | undefined) => (name && parameters.get(name)) || undefined;
  return { limit, after: boundOf(after), before: boundOf(before) };
}

/** Refuses a page after or before an id that is not in the list. */
export function unknownBound(collection: CollectionId, bound: 'after' | 'before'): Refusal {
  const param = boundNames[collection][bound] ?? bound;
  return invalidParam(param, 'is not the id of a listed batch.');
}

/** Shows a page in the form that the collection's official client expects. */
export const pageView = <View extends { id: string }>(
  collection: CollectionId,
  data: readonly View[],
  hasMore: boolean,
) => ({
  ...(collection === 'chat' && { object: 'list' }),
  data,
  has_more: hasMore,
  first_id: data[0]?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
});
