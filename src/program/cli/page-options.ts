import type { Option } from './command.ts';
import type { Invocation } from './invocation.ts';

export const pageOptions = {
  limit: {
    kind: 'number',
    integer: true,
    minimum: 1,
    maximum: 1_000,
    summary: 'At most so many (default 50)',
  },
  after: { kind: 'text', placeholder: 'ID', summary: 'Only what comes after this one' },
} as const satisfies Record<string, Option>;

/** The options as a query, with its question mark. */
export function pageQueryOf(invocation: Invocation): string {
  const query = new URLSearchParams();
  const limit = invocation.number('limit');
  const after = invocation.text('after');
  if (limit !== undefined) query.set('limit', String(limit));
  if (after !== undefined) query.set('after', after);
  return query.size === 0 ? '' : `?${query}`;
}
