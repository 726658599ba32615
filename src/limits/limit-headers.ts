import type { LimitLeft, LimitState } from './limiter.ts';

/** What is left of the current windows, in the names that clients know. */
export function writeLimitHeaders(headers: Record<string, string>, { requests, tokens }: LimitState): void {
  write(headers, 'requests', requests);
  write(headers, 'tokens', tokens);
}

function write(
  headers: Record<string, string>,
  what: string,
  { limit, remaining, resetMs }: LimitLeft,
): void {
  headers[`x-ratelimit-limit-${what}`] = String(limit);
  headers[`x-ratelimit-remaining-${what}`] = String(remaining);
  headers[`x-ratelimit-reset-${what}`] = `${Math.ceil(resetMs / 100) / 10}s`;
}
