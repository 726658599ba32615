import type { Page } from '../money/accounts/account-store.ts';

/** Returns a page of the items. One item more than the page size shows that a next page exists. */
export function pageOf<T>(items: T[], limit: number): Page<T> {
  return { items: items.slice(0, limit), hasMore: items.length > limit };
}
