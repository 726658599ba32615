import type { Exchange } from '../../edge/http/exchange.ts';
import { cookiePrefix } from './auth-cookies.ts';
import type { AuthLibrary } from './auth-library.ts';
import { cookieIn, withoutSignature } from './cookies.ts';
import { originOf } from './origin-of.ts';

/**
 * Returns the id of the person who has entered the right password and must enter a code too. The sign-in
 * library gives the browser a cookie with an identifier, and stores the person's id under this identifier.
 */
export async function personOfFirstStep(
  exchange: Exchange,
  library: AuthLibrary,
): Promise<string | undefined> {
  const origin = originOf(exchange);
  const cookie = cookieIn(exchange, `${cookiePrefix(origin.isSecure)}.two_factor`);
  const identifier = cookie && withoutSignature(cookie);
  if (!identifier) return undefined;
  const { internalAdapter } = await (await library.at(origin)).$context;
  return (await internalAdapter.findVerificationValue(identifier))?.value;
}
