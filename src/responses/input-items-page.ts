import { Refusal } from '../errors/refusal.ts';
import { printable } from '../schema/printable.ts';
import type { ListedItem } from './listed-input.ts';

const DEFAULT_LIMIT = 20;
const LARGEST_LIMIT = 100;

const invalid = (param: string, message: string): Refusal =>
  new Refusal('invalid_request', { param, message: `${param} ${message}` });

/** A page in the shape that the official client walks through; the newest item comes first unless `order` is `asc`. */
export function inputItemsPage(items: readonly ListedItem[], query: string): object | Refusal {
  const parameters = new URLSearchParams(query);
  const order = parameters.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') return invalid('order', "must be 'asc' or 'desc'.");
  const limit = parameters.get('limit') ?? String(DEFAULT_LIMIT);
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > LARGEST_LIMIT)
    return invalid('limit', `must be an integer from 1 to ${LARGEST_LIMIT}.`);
  const ordered = order === 'asc' ? items : items.toReversed();
  const after = parameters.get('after');
  const before = after === null ? -1 : ordered.findIndex(({ id }) => id === after);
  if (after !== null && before < 0)
    return invalid('after', `is no item of this response: '${printable(after, 80)}'.`);
  const data = ordered.slice(before + 1, before + 1 + Number(limit));
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: before + 1 + data.length < ordered.length,
  };
}
