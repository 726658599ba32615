import { MEGABYTE } from '../lib/units.ts';

/**
 * The memory of an idle process: the runtime, the catalog, the store's caches, the token counter's tables.
 */
const IDLE_BYTES = 160 * MEGABYTE;
/**
 * The usable share of the limit. The rest is for memory that cannot be booked: connections, and the
 * collector's overhead.
 */
const USABLE_SHARE = 0.8;
/** A request that exceeds the budget must still fit in this share of the limit. */
const OVERDRAWN_SHARE = 0.92;
/** Limits below 280 MB would otherwise leave less for requests, or nothing. */
const MIN_TOTAL_BYTES = 64 * MEGABYTE;
/** The bound of large requests, unless the configuration has one. */
const MAX_LARGE_BYTES = 256 * MEGABYTE;

/** The memory that requests may hold, in bytes. */
export type BudgetSizes = {
  /** All requests together. */
  totalBytes: number;
  /** All large requests together. */
  largeBytes: number;
  /** Bodies that wait unread. */
  waitingBytes: number;
  /** All requests together, while one of them may exceed the other bounds. */
  overdrawnBytes: number;
};

/** Computes the sizes from the memory limit and the amount that is configured for large requests, if any. */
export function budgetSizes(limitBytes: number, configuredBytes: number | undefined): BudgetSizes {
  const usableBytes = Math.max(MIN_TOTAL_BYTES, limitBytes * USABLE_SHARE - IDLE_BYTES);
  const largeBytes = configuredBytes ?? Math.min(MAX_LARGE_BYTES, usableBytes / 2);
  const totalBytes = Math.max(usableBytes, largeBytes);
  return {
    totalBytes,
    largeBytes,
    waitingBytes: Math.min(MAX_LARGE_BYTES, largeBytes) / 2,
    overdrawnBytes: Math.max(totalBytes, limitBytes * OVERDRAWN_SHARE - IDLE_BYTES),
  };
}
