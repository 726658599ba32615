import type { Exchange } from '../../edge/http/exchange.ts';
import { clientAddress } from '../../settings/config/client-network.ts';
import { networkOf } from '../../settings/config/network-of-address.ts';
import { sessionCookieName } from './auth-cookies.ts';
import { cookieIn, plainCookies, withoutSignature } from './cookies.ts';
import { type AuthOrigin, originOf } from './origin-of.ts';

/**
 * The header that carries the client's address to the library. No client can set it, since calls have headers
 * of their own.
 */
export const ADDRESS_HEADER = 'x-client-address';

/** The browser behind a request, as the sign-in library needs it. */
export type AuthCaller = { origin: AuthOrigin; headers: Headers };

/** Passes on only what the library needs. Its address headers would otherwise be the client's own. */
export function callerOf(exchange: Exchange): AuthCaller {
  const { request, snapshot } = exchange;
  const headers = new Headers();
  const cookies = request.headers.get('cookie');
  if (cookies !== null) headers.set('cookie', plainCookies(cookies));
  const userAgent = request.headers.get('user-agent');
  if (userAgent !== null) headers.set('user-agent', userAgent);
  const forwarded = request.headers.get('x-forwarded-for');
  headers.set(ADDRESS_HEADER, clientAddress(exchange.peer(), forwarded, snapshot.trustedProxies));
  return { origin: originOf(exchange), headers };
}

/** Returns the caller without a session, for which a code of the second factor ends a sign-in. */
export function withoutSession({ origin, headers }: AuthCaller): AuthCaller {
  const session = `${sessionCookieName(origin.isSecure)}=`;
  const others = (headers.get('cookie') ?? '').split('; ').filter((cookie) => !cookie.startsWith(session));
  const next = new Headers(headers);
  next.set('cookie', others.join('; '));
  return { origin, headers: next };
}

/** Returns the client's network. */
export const networkOfCaller = ({ headers }: AuthCaller): string =>
  networkOf(headers.get(ADDRESS_HEADER) ?? '');

/** Returns the session's cookie and the token in it. The store has only hashes of tokens. */
export function sessionCookieOf(exchange: Exchange): { value: string; token: string } | undefined {
  const value = cookieIn(exchange, sessionCookieName(originOf(exchange).isSecure));
  const token = value && withoutSignature(value);
  return value && token ? { value, token } : undefined;
}
