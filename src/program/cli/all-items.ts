export type PageOrder = { limit: number; after?: string };
type Page<Item> = { items: readonly Item[]; hasMore: boolean };

const PAGE = 1_000;

/** Yields the items of a list that is read in pages. */
export async function* allItems<Item extends { id: string }>(
  read: (page: PageOrder) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  let after: string | undefined;
  do {
    const { items, hasMore } = await read({ limit: PAGE, ...(after !== undefined && { after }) });
    yield* items;
    after = hasMore ? items.at(-1)?.id : undefined;
  } while (after !== undefined);
}
