import { Refusal } from '../../base/errors/refusal.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { anthropicModelView } from './anthropic-model-view.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1_000;

/**
 * Returns a page of the list in the form of the messages dialect.
 * Its parameters are `limit`, `after_id` and `before_id`.
 */
export function anthropicPage(listed: readonly CatalogEntry[], query: URLSearchParams, now: number) {
  const limit = readLimit(query.get('limit'));
  if (limit instanceof Refusal) return limit;
  const bounds = readBounds(listed, query);
  if (bounds instanceof Refusal) return bounds;
  const { after, before } = bounds;
  // `before_id` alone pages backwards. `has_more` refers to the direction of paging.
  const backwards = before !== undefined && after === undefined;
  const start = backwards ? Math.max(0, before - limit) : (after ?? -1) + 1;
  const end = backwards ? before : Math.min(start + limit, before ?? listed.length);
  const data = listed.slice(start, end).map((entry) => anthropicModelView(entry, now));
  return {
    data,
    has_more: backwards ? start > 0 : end < (before ?? listed.length),
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

export function readLimit(text: string | null): number | Refusal {
  if (text === null) return DEFAULT_LIMIT;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  return new Refusal('invalid_request', {
    param: 'limit',
    message: `limit must be a whole number from 1 to ${MAX_LIMIT}.`,
  });
}

function readBounds(listed: readonly CatalogEntry[], query: URLSearchParams) {
  const bounds: { after?: number; before?: number } = {};
  for (const [param, name] of [
    ['after_id', 'after'],
    ['before_id', 'before'],
  ] as const) {
    const id = query.get(param);
    if (id === null || id === '') continue;
    const index = listed.findIndex(({ model, aliases }) => model.id === id || aliases.includes(id));
    if (index < 0)
      return new Refusal('invalid_request', { param, message: `${param} is not the id of a listed model.` });
    bounds[name] = index;
  }
  return bounds;
}
