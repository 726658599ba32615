import type { LimitLeft, LimitState } from './limit-state.ts';

type HeaderFields = Record<string, string>;
/** The names of the headers of one limit. */
type LimitNames = { limit: string; remaining: string; reset: string };

const namesOf = (counted: 'requests' | 'tokens'): LimitNames => ({
  limit: `x-ratelimit-limit-${counted}`,
  remaining: `x-ratelimit-remaining-${counted}`,
  reset: `x-ratelimit-reset-${counted}`,
});

const REQUESTS = namesOf('requests');
const TOKENS = namesOf('tokens');

/** Writes the remaining amounts of the current windows, under the header names that clients know. */
export function writeLimitHeaders(headers: HeaderFields, { requests, tokens }: LimitState): void {
  write(headers, REQUESTS, requests);
  write(headers, TOKENS, tokens);
}

function write(headers: HeaderFields, names: LimitNames, { limit, remaining, resetMs }: LimitLeft): void {
  headers[names.limit] = String(limit);
  headers[names.remaining] = String(remaining);
  headers[names.reset] = `${Math.ceil(resetMs / 100) / 10}s`;
}
