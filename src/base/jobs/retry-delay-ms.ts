import { backoffMs } from './backoff-ms.ts';

const FIRST_MS = 500;
const MAX_MS = 60_000;
/**
 * Each delay grows by a random share up to this, so that requests that failed together are not retried
 * together.
 */
const SPREAD = 0.25;

export type FailedAttempts = {
  /** Failed attempts so far, this one included. */
  failures: number;
  /** The delay that the upstream asked for. */
  retryAfterMs?: number | undefined;
};

/**
 * Computes the delay before the next attempt. It doubles each time, and is at least as long as the upstream
 * asked for. It is never longer than a minute.
 */
export function retryDelayMs({ failures, retryAfterMs = 0 }: FailedAttempts, random: () => number): number {
  const pauseMs = backoffMs(failures - 1, { firstMs: FIRST_MS, maxMs: MAX_MS });
  const ownMs = pauseMs * (1 + SPREAD * random());
  return Math.round(Math.min(MAX_MS, Math.max(ownMs, retryAfterMs)));
}
