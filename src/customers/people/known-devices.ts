import { createHmac } from 'node:crypto';
import { randomText } from '../../base/lib/ids.ts';
import { isSameSecret } from '../../base/lib/is-same-secret.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { cookiePrefix } from './auth-cookies.ts';
import type { AuthLibrary } from './auth-library.ts';
import { cookieIn, formatCookie } from './cookies.ts';
import { originOf } from './origin-of.ts';

const YEAR_S = 365 * 86_400;
const ID_LENGTH = 22;
const NAME_LENGTH = 16;

/**
 * Knows the devices of earlier sign-ins by a cookie for each person. The cookie signs nobody in. A known
 * device has its own share of the attempts and its own place in the queue for hashing, so a flood does not
 * lock its person out.
 */
export class KnownDevices {
  readonly #library: AuthLibrary;

  constructor(library: AuthLibrary) {
    this.#library = library;
  }

  /** Finds the id of the device, if the person with this address has signed in on it before. */
  async find(exchange: Exchange, email: string): Promise<string | undefined> {
    const value = cookieIn(exchange, cookieNameOf(exchange, email));
    const [id = '', signature = ''] = value?.split('.') ?? [];
    if (id.length !== ID_LENGTH) return undefined;
    return isSameSecret(signature, await this.#sign(id, email)) ? id : undefined;
  }

  /** Returns the cookie for a device on which the person has just signed in. */
  async cookieFor(exchange: Exchange, email: string): Promise<string> {
    const id = (await this.find(exchange, email)) ?? randomText(ID_LENGTH);
    const value = `${id}.${await this.#sign(id, email)}`;
    return formatCookie(exchange, { name: cookieNameOf(exchange, email), value, lastsS: YEAR_S });
  }

  async #sign(id: string, email: string): Promise<string> {
    const text = `device ${id} ${email.toLowerCase()}`;
    return createHmac('sha256', await this.#library.secret())
      .update(text)
      .digest('hex');
  }
}

/** Several people can share a browser, and the address itself is not in the name. */
const cookieNameOf = (exchange: Exchange, email: string): string =>
  `${cookiePrefix(originOf(exchange).isSecure)}.device_${hashKey(email.toLowerCase()).slice(0, NAME_LENGTH)}`;
