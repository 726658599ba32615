import type { Exchange } from '../../edge/http/exchange.ts';
import { addressUsed, publicUrl } from '../../edge/http/public-url.ts';
import { clientAddress } from '../../settings/config/client-network.ts';
import { ADDRESS_HEADER, type AuthOrigin, sessionCookieName } from './auth-origin.ts';

/** The browser behind a request, as the sign-in library needs it. */
export type AuthCaller = { origin: AuthOrigin; headers: Headers };

/** The address that the browser uses. The listener for operators has its own. */
export function originOf(exchange: Exchange): AuthOrigin {
  const url = exchange.door === 'operators' ? addressUsed(exchange) : publicUrl(exchange);
  return { url, isSecure: url.startsWith('https:') };
}

/** Passes on only what the library needs. Its address headers would otherwise be the client's own. */
export function callerOf(exchange: Exchange): AuthCaller {
  const { request, snapshot } = exchange;
  const headers = new Headers();
  for (const name of ['cookie', 'user-agent']) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const forwarded = request.headers.get('x-forwarded-for');
  headers.set(ADDRESS_HEADER, clientAddress(exchange.peer(), forwarded, snapshot.trustedProxies));
  return { origin: originOf(exchange), headers };
}

/** The session's cookie. The token is its first part, without the signature: the store has only hashes of tokens. */
export function sessionCookieOf(exchange: Exchange): { value: string; token: string } | undefined {
  const cookies = exchange.request.headers.get('cookie');
  if (cookies === null) return undefined;
  const name = `${sessionCookieName(originOf(exchange).isSecure)}=`;
  const value = cookies
    .split(';')
    .find((one) => one.trimStart().startsWith(name))
    ?.trim()
    .slice(name.length);
  const token = value?.split('.')[0];
  return value && token ? { value, token } : undefined;
}
