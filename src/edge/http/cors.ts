import type { Names } from '../../base/lib/names.ts';

const MAX_AGE_SECONDS = '86400';

/**
 * Returns the CORS headers. Browsers call `/v1` with a key in a header and without cookies, so every origin
 * is allowed unless a list is configured.
 */
export function corsHeaders(
  origin: string | null,
  allowed: readonly string[],
): Record<string, string> | undefined {
  if (origin === null || allowed.length === 0) return undefined;
  if (allowed.includes('*')) return { 'access-control-allow-origin': '*' };
  return allowed.includes(origin) ? { 'access-control-allow-origin': origin } : undefined;
}

/**
 * Reports whether pages of an origin may open a WebSocket. Browsers do not apply CORS to WebSockets, so the
 * server itself refuses other pages. Programs send no `Origin`.
 */
export const isAllowedOrigin = (origin: string | null, allowed: readonly string[]): boolean =>
  origin === null || allowed.includes('*') || allowed.includes(origin);

export const preflightHeaders = (request: Request, allow: string): Record<string, string> => ({
  'access-control-allow-methods': allow,
  'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '*',
  'access-control-max-age': MAX_AGE_SECONDS,
});

const exposed = [
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'request-id',
  'x-request-id',
  'idempotency-replayed',
];
const rateLimit = ['limit', 'remaining', 'reset'].flatMap((field) =>
  ['requests', 'tokens'].map((what) => `x-ratelimit-${field}-${what}`),
);

/** Returns the headers that a script in a browser can read. */
export const exposedHeaders = ({ header }: Names): string =>
  [...exposed, ...rateLimit, ...Object.values(header)].join(', ');
