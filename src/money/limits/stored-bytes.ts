import type { MaybeLater } from '../../base/lib/maybe-later.ts';

/** The bytes that accounts have stored: texts and rows of responses, batches and results. */
export interface StoredBytes {
  /** Includes data that has expired and is not removed yet. */
  storedBytes(accountId: string): MaybeLater<number>;
  /** Returns the time, even a past one, by which that many bytes expire. Undefined if fewer are stored. */
  expiryOf(accountId: string, bytes: number): MaybeLater<number | undefined>;
}

/** The overhead of a response, turn, batch or item beyond its texts: the row and its index entries. */
export const STORED_ROW_BYTES = 512;

const BYTES_OF_A_MEGABYTE = 1024 * 1024;

/** Returns a plan's quota in bytes, or null if the plan has no quota. */
export const quotaBytes = (storedMb: number | null): number | null =>
  storedMb === null ? null : Math.floor(storedMb * BYTES_OF_A_MEGABYTE);

/** An account's stored bytes as clients and operators see them. */
export const storedView = (bytes: number, storedMb: number | null) => ({
  bytes,
  limit_bytes: quotaBytes(storedMb),
});
