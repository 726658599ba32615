import { timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Route } from '../../edge/http/route.ts';

const BEARER = /^Bearer +(\S+)$/i;

const digest = (text: string): Uint8Array => new Bun.CryptoHasher('sha256').update(text).digest();

/** The same routes, open only to who shows the token. */
export function requireAdminToken(token: string, routes: readonly Route[]): Route[] {
  if (token === '') throw new Error('an empty admin token would let everybody in');
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
      message: 'No admin token was sent: send it as `Authorization: Bearer …`.',
    });
  }
  const sent = BEARER.exec(header)?.[1];
  // Digests are of one length, and comparing them takes the same time wherever they differ.
  if (sent !== undefined && timingSafeEqual(digest(sent), expected)) return undefined;
  const isApiKey = sent?.startsWith(snapshot.names.keyPrefix);
  return new Refusal('invalid_api_key', {
    message: isApiKey
      ? 'This is an API key; the admin API takes the admin token only.'
      : 'The admin token is not valid.',
  });
}
