import type { Posting } from './ledger-store.ts';

/** Where postings wait that the store could not take. Durable when `append` resolves; an `Unavailable` says that it is not. */
export interface PostingSpool {
  /** By request, oldest first, an earlier process's among them. */
  readonly waiting: ReadonlyMap<string, Posting>;
  append(posting: Posting): Promise<void>;
  /** They are in the store. */
  remove(requestIds: readonly string[]): Promise<void>;
}
