import type { MaybeLater } from '../../base/lib/after.ts';

/** What accounts have in the store, texts and rows of responses, batches and results alike. */
export interface StoredBytes {
  /** With what has expired and is about to be removed. */
  storedBytes(accountId: string): MaybeLater<number>;
  /** When so many of them will have expired, which may be past; undefined: there are not so many. */
  expiryOf(accountId: string, bytes: number): MaybeLater<number | undefined>;
}

/** What a response, a turn, a batch or an item takes beside its texts: its row, and its places in the indexes. */
export const STORED_ROW_BYTES = 512;

const BYTES_OF_A_MEGABYTE = 1024 * 1024;

/** A plan's quota; null: none. */
export const quotaBytes = (storedMb: number | null): number | null =>
  storedMb === null ? null : Math.floor(storedMb * BYTES_OF_A_MEGABYTE);

/** What an account has stored, as clients and operators see it. */
export const storedView = (bytes: number, storedMb: number | null) => ({
  bytes,
  limit_bytes: quotaBytes(storedMb),
});
