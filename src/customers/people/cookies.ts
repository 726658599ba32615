import type { Exchange } from '../../edge/http/exchange.ts';
import { originOf } from './origin-of.ts';

/** Returns the value of a request's cookie. */
export function cookieIn(exchange: Pick<Exchange, 'request'>, name: string): string | undefined {
  return exchange.request.headers
    .get('cookie')
    ?.split(';')
    .find((cookie) => cookie.trimStart().startsWith(`${name}=`))
    ?.trim()
    .slice(name.length + 1);
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
