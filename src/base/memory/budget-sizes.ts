const MEGABYTE = 1024 * 1024;

/** What the process holds without any request: the runtime, the catalog, the store's caches, the counter's tables. */
const IDLE_BYTES = 160 * MEGABYTE;
/** Of the memory that may be used: what is left is for what cannot be booked (connections, the collector's own room). */
const USABLE_SHARE = 0.8;
/** What one request may overdraw must still fit in this much. */
const MOST_SHARE = 0.92;
const LEAST_BYTES = 64 * MEGABYTE;
/** Unless the configuration says otherwise. */
const MOST_LARGE_BYTES = 256 * MEGABYTE;

/** How much of the memory requests may hold, in bytes. */
export type BudgetSizes = {
  /** All of them together. */
  total: number;
  /** Those that hold much. */
  large: number;
  /** Bodies that wait unread. */
  waiting: number;
  /** What `total` may grow to, so that one request that is larger than all that is left can end. */
  most: number;
};

/** From what the process may use, and what the configuration gives to large requests, if it does. */
export function budgetSizes(limitBytes: number, largeBytes: number | undefined): BudgetSizes {
  const usable = Math.max(LEAST_BYTES, limitBytes * USABLE_SHARE - IDLE_BYTES);
  const large = largeBytes ?? Math.min(MOST_LARGE_BYTES, usable / 2);
  const total = Math.max(usable, large);
  return {
    total,
    large,
    waiting: Math.min(MOST_LARGE_BYTES, large) / 2,
    most: Math.max(total, limitBytes * MOST_SHARE - IDLE_BYTES),
  };
}
