import type { Exchange } from '../../edge/http/exchange.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { originOf, sessionCookieOf } from './auth-caller.ts';
import { SESSION_S, sessionCookieName } from './auth-origin.ts';
import type { PeopleStore } from './people-store.ts';

const DAY_MS = 86_400_000;

/** Prolongs the session of a request once a day. Returns the cookie to send again. */
export async function renewSession(
  store: PeopleStore,
  exchange: Exchange,
  sessionId: string,
): Promise<string | undefined> {
  const sent = sessionCookieOf(exchange);
  if (sent === undefined) return undefined;
  const until = Date.now() + SESSION_S * 1_000;
  const renewed = await store.changePeople({
    writes: [
      {
        ...{ kind: 'update', table: 'person_session', set: { expires_at: until, updated_at: Date.now() } },
        where: [
          { column: 'id', value: sessionId },
          { column: 'token', value: hashKey(sent.token) },
          { column: 'expires_at', is: 'lt', value: until - DAY_MS },
        ],
        rows: 1,
      },
    ],
  });
  if (renewed === 'conflict') return undefined;
  const { isSecure } = originOf(exchange);
  const attributes = `Max-Age=${SESSION_S}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return `${sessionCookieName(isSecure)}=${sent.value}; ${attributes}`;
}
