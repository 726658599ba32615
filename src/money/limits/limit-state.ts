import type { SlidingWindow } from './sliding-window.ts';

/** The rest of an account's limits, for the response headers. */
export type LimitState = { requests: LimitLeft; tokens: LimitLeft };
/** `resetMs`: the time until nothing of the limit is taken, if nothing is added. */
export type LimitLeft = { limit: number; remaining: number; resetMs: number };

/** Returns the limit with less left; the lower one if both have the same left. */
export const tighterLimit = (account: LimitLeft, key: LimitLeft): LimitLeft =>
  key.remaining < account.remaining || (key.remaining === account.remaining && key.limit < account.limit)
    ? key
    : account;

/** Returns the rest of one limit. */
export function limitLeft(window: SlidingWindow | undefined, limit: number, nowMs: number): LimitLeft {
  const taken = window?.total(nowMs) ?? 0;
  const resetMs = window && taken > 0 ? window.waitMs(nowMs, 0) : 0;
  return { limit, remaining: Math.max(0, limit - taken), resetMs };
}
