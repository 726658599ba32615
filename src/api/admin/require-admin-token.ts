import { timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Route } from '../../edge/http/route.ts';

const BEARER = /^Bearer +(\S+)$/i;

const digest = (text: string): Uint8Array => new Bun.CryptoHasher('sha256').update(text).digest();

/** Restricts routes to requests with the admin token. */
export function requireAdminToken(token: string, routes: readonly Route[]): Route[] {
  if (token === '') throw new Error('the admin token must not be empty');
  const expected = digest(token);
  return routes.map(({ handle, ...route }) => ({
    ...route,
    handle: (exchange) => refuseStranger(exchange, expected) ?? handle(exchange),
  }));
}

function refuseStranger({ request, snapshot }: Exchange, expected: Uint8Array): Refusal | undefined {
  const header = request.headers.get('authorization')?.trim();
  if (!header) {
    return new Refusal('missing_api_key', {
      message: 'The admin token is missing. Send it as `Authorization: Bearer …`.',
    });
  }
  const sent = BEARER.exec(header)?.[1];
  // Digests have equal lengths, and comparing them takes constant time.
  if (sent !== undefined && timingSafeEqual(digest(sent), expected)) return undefined;
  const isApiKey = sent?.startsWith(snapshot.names.keyPrefix);
  return new Refusal('invalid_api_key', {
    message: isApiKey
      ? 'This is an API key. The admin API accepts only the admin token.'
      : 'The admin token is not valid.',
  });
}
