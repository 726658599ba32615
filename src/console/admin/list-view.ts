/** A page of a list, in the form of the lists under `/v1`. */
export const listView = <Item extends { id: string }>(items: readonly Item[], hasMore = false) => ({
  object: 'list',
  data: items,
  first_id: items[0]?.id ?? null,
  last_id: items.at(-1)?.id ?? null,
  has_more: hasMore,
});
