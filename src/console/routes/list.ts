import type { TSchema } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';

/** Returns the schema of a page of a list. */
export const listOf = <Item extends TSchema>(item: Item) =>
  Type.Object({
    object: Type.Literal('list'),
    data: Type.Array(item),
    first_id: orNull(Type.String()),
    last_id: orNull(Type.String()),
    has_more: Type.Boolean(),
  });

/** Shows a page of a list, in the form of the lists under `/v1`. */
export const listView = <Item extends { id: string }>(items: readonly Item[], hasMore = false) => ({
  object: 'list' as const,
  data: items,
  first_id: items[0]?.id ?? null,
  last_id: items.at(-1)?.id ?? null,
  has_more: hasMore,
});
