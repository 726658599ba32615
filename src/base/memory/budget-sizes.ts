import { MEGABYTE } from '../lib/units.ts';

/**
 * The memory of an idle process: the runtime, the catalog, the store's caches, the token counter's tables.
 */
const IDLE_BYTES = 160 * MEGABYTE;
/**
 * The usable share of the limit.
 * The rest is for memory that cannot be booked: connections, and the collector's overhead.
 */
const USABLE_SHARE = 0.8;
/** A request that exceeds the budget must still fit in this share of the limit. */
const MAX_SHARE = 0.92;
const MIN_BYTES = 64 * MEGABYTE;
/** The default maximum. */
const MAX_LARGE_BYTES = 256 * MEGABYTE;

/** The memory that requests may hold, in bytes. */
export type BudgetSizes = {
  /** All requests together. */
  total: number;
  /** All large requests together. */
  large: number;
  /** Bodies that wait unread. */
  waiting: number;
  /**
   * The limit that `total` may grow to, so that one request that is larger than the free memory can finish.
   */
  maxBytes: number;
};

/** Computes the sizes from the memory limit and the configured amount for large requests, if there is one. */
export function budgetSizes(limitBytes: number, largeBytes: number | undefined): BudgetSizes {
  const usable = Math.max(MIN_BYTES, limitBytes * USABLE_SHARE - IDLE_BYTES);
  const large = largeBytes ?? Math.min(MAX_LARGE_BYTES, usable / 2);
  const total = Math.max(usable, large);
  return {
    total,
    large,
    waiting: Math.min(MAX_LARGE_BYTES, large) / 2,
    maxBytes: Math.max(total, limitBytes * MAX_SHARE - IDLE_BYTES),
  };
}
