import { invalidParam } from '../../base/errors/invalid-param.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { readLimit } from '../../edge/http/read-limit.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { anthropicModelView } from './anthropic-model-view.ts';
import type { AnthropicPage } from './model-schemas.ts';

/** The most models of a page. */
export const MAX_MODELS = 1_000;

/**
 * Returns a page of the list in the form of the messages dialect. Its parameters are `limit`, `after_id` and
 * `before_id`.
 */
export function anthropicPage(
  listed: readonly CatalogEntry[],
  query: URLSearchParams,
  now: number,
): AnthropicPage | Refusal {
  const limit = readLimit(query.get('limit'), MAX_MODELS);
  if (limit instanceof Refusal) return limit;
  const after = readIndex(listed, query, 'after_id');
  if (after instanceof Refusal) return after;
  const before = readIndex(listed, query, 'before_id');
  if (before instanceof Refusal) return before;
  const first = (after ?? -1) + 1;
  const end = before ?? listed.length;
  // A request with `before_id` alone pages backwards: it gets the models just before that one.
  const isBackwards = before !== undefined && after === undefined;
  const [from, to] = isBackwards
    ? [Math.max(first, end - limit), end]
    : [first, Math.min(first + limit, end)];
  const data = listed.slice(from, to).map((entry) => anthropicModelView(entry, now));
  return {
    data,
    has_more: isBackwards ? from > first : to < end,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

/** Returns the index of the model that a parameter names. Returns undefined without the parameter. */
function readIndex(
  listed: readonly CatalogEntry[],
  query: URLSearchParams,
  param: 'after_id' | 'before_id',
): number | undefined | Refusal {
  const id = query.get(param);
  if (id === null || id === '') return undefined;
  const index = listed.findIndex(({ model, aliases }) => model.id === id || aliases.includes(id));
  if (index >= 0) return index;
  return invalidParam(param, 'is not the id of a listed model.');
}
