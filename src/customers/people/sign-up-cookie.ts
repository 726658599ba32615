import type { Exchange } from '../../edge/http/exchange.ts';
import { cookiePrefix } from './auth-cookies.ts';
import { cookieIn, formatCookie } from './cookies.ts';
import { originOf } from './origin-of.ts';
import { SIGN_UP_S } from './sign-ups.ts';

/**
 * Returns the name of the cookie for the sign-up that a browser made. Its password counts once the address is
 * verified.
 */
const cookieNameOf = (exchange: Exchange): string => `${cookiePrefix(originOf(exchange).isSecure)}.sign_up`;

/** Returns the sign-up that the browser made, if it made one. */
export const signUpOf = (exchange: Exchange): string | undefined =>
  cookieIn(exchange, cookieNameOf(exchange));

/** Returns the cookie that ties a sign-up to the browser. */
export const signUpCookie = (exchange: Exchange, id: string): string =>
  formatCookie(exchange, { name: cookieNameOf(exchange), value: id, lastsS: SIGN_UP_S });
