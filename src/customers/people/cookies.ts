import type { Exchange } from '../../edge/http/exchange.ts';
import { originOf } from './origin-of.ts';

/** A name without spaces and control characters. */
const NAME = /^[\x21-\x7e]+$/;

/** Returns the value of a request's cookie. */
export function cookieIn(exchange: Pick<Exchange, 'request'>, name: string): string | undefined {
  return exchange.request.headers
    .get('cookie')
    ?.split(';')
    .find((cookie) => cookie.trimStart().startsWith(`${name}=`))
    ?.trim()
    .slice(name.length + 1);
}

/**
 * Returns a `Cookie` header with the cookies as `cookieIn` finds them: the first one of each exact name.
 * Other readers accept spaces in front of `=`, and could so find another session than the checks of a route.
 */
export function plainCookies(header: string): string {
  const cookies = new Map<string, string>();
  for (const cookie of header.split(';').map((part) => part.trim())) {
    const name = cookie.slice(0, Math.max(0, cookie.indexOf('=')));
    if (NAME.test(name) && !cookies.has(name)) cookies.set(name, cookie);
  }
  return [...cookies.values()].join('; ');
}

/** Returns the value that the sign-in library has signed. Its cookies are `value.signature`. */
export const withoutSignature = (cookie: string): string => cookie.split('.')[0] ?? '';

/** Formats a cookie that scripts cannot read. Requests from other sites do not carry it, except for links. */
export function formatCookie(
  exchange: Exchange,
  { name, value, lastsS }: { name: string; value: string; lastsS: number },
): string {
  const secure = originOf(exchange).isSecure ? '; Secure' : '';
  return `${name}=${value}; Max-Age=${lastsS}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}
