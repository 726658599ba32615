/** A page of a list, the latest first. */
export type ListPage<Listed> = { data: Listed[]; hasMore: boolean };

/**
 * Cuts a page out of a list as both vendors do. `limit` is 20 by default, and at most `maxSize`.
 * Returns undefined if the limit is invalid, or if the cursor names nothing.
 */
export function listPage<Listed extends { id: string }>(
  all: readonly Listed[],
  { after, limit }: { after: string | null; limit: string | null },
  maxSize: number,
): ListPage<Listed> | undefined {
  const size = limit === null ? 20 : Number(limit);
  if (!Number.isInteger(size) || size < 1 || size > maxSize) return undefined;
  const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== null && start === 0) return undefined;
  return { data: all.slice(start, start + size), hasMore: all.length > start + size };
}
