import type { LimitLeft, LimitState } from './limit-state.ts';

type Headers = Record<string, string>;
type LimitNames = { limit: string; remaining: string; reset: string };

const namesOf = (what: string): LimitNames => ({
  limit: `x-ratelimit-limit-${what}`,
  remaining: `x-ratelimit-remaining-${what}`,
  reset: `x-ratelimit-reset-${what}`,
});

const REQUESTS = namesOf('requests');
const TOKENS = namesOf('tokens');

/** Writes the remaining amounts of the current windows, under the header names that clients know. */
export function writeLimitHeaders(headers: Headers, { requests, tokens }: LimitState): void {
  write(headers, REQUESTS, requests);
  write(headers, TOKENS, tokens);
}

function write(headers: Headers, names: LimitNames, { limit, remaining, resetMs }: LimitLeft): void {
  headers[names.limit] = String(limit);
  headers[names.remaining] = String(remaining);
  headers[names.reset] = `${Math.ceil(resetMs / 100) / 10}s`;
}
