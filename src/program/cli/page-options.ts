import type { Option } from './command.ts';
import type { Invocation } from './invocation.ts';

export const pageOptions = {
  limit: {
    kind: 'number',
    integer: true,
    minimum: 1,
    maximum: 1_000,
    unit: 'results',
    summary: 'Maximum number of results (default 50)',
  },
  after: { kind: 'text', placeholder: 'ID', summary: 'Only results after this id' },
} as const satisfies Record<string, Option>;

/** Returns the options as a query string with its question mark, or an empty string. */
export function pageQueryOf(invocation: Invocation, filters: Record<string, string> = {}): string {
  const query = new URLSearchParams(filters);
  const limit = invocation.number('limit');
  const after = invocation.text('after');
  if (limit !== undefined) query.set('limit', String(limit));
  if (after !== undefined) query.set('after', after);
  return query.size === 0 ? '' : `?${query}`;
}
