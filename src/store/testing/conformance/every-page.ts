import type { Page, PageRequest } from '../../../money/accounts/account-store.ts';

type List<T> = (page: PageRequest) => Promise<Page<T>>;

/** Returns all pages, from the first to the last. */
export async function everyPage<T extends { id: string }>(list: List<T>, limit: number): Promise<T[][]> {
  const pages: T[][] = [];
  let after: string | undefined;
  for (;;) {
    const { items, hasMore } = await list({ limit, after });
    pages.push(items);
    if (!hasMore) return pages;
    after = items.at(-1)?.id;
  }
}
