import type { Posting } from './ledger-store.ts';

/**
 * Holds postings that the store could not take. A posting is durable when `append` resolves;
 * `Unavailable` means that it is not.
 */
export interface PostingSpool {
  /** Waiting postings by request, oldest first, including those of an earlier process. */
  readonly waiting: ReadonlyMap<string, Posting>;
  append(posting: Posting): Promise<void>;
  /** The spool takes nothing, by configuration. A refused posting says nothing about later ones. */
  readonly isRefusing?: boolean;
  /** Removes postings that are now in the store. */
  remove(requestIds: readonly string[]): Promise<void>;
}
