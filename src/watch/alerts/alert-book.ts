import type { Refusal } from '../../base/errors/refusal.ts';
import type { Page, PageRequest } from '../../money/accounts/account-store.ts';
import type { TrackedAlert } from './alert.ts';

/** The alerts as operators see them. */
export type AlertBook = {
  list(page: PageRequest): Promise<Page<TrackedAlert>>;
  find(id: string): Promise<TrackedAlert | undefined>;
  /** Sends a test alert to every webhook. Returns undefined if there is no webhook. */
  test(): Promise<TrackedAlert | Refusal | undefined>;
};
