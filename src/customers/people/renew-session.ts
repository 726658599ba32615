import type { Clock } from '../../base/lib/clock.ts';
import { DAY_MS, msOf } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { sessionCookieOf } from './auth-caller.ts';
import { SESSION_S, sessionCookieName } from './auth-cookies.ts';
import { formatCookie } from './cookies.ts';
import { originOf } from './origin-of.ts';
import type { PeopleStore } from './people-store.ts';
import { isBefore, matching } from './people-tests.ts';
import type { Visitor } from './visitor.ts';

/**
 * Prolongs the session of a request once a day, at most to its greatest age. Returns the cookie to send
 * again. The session's own end is checked with each request.
 */
export async function renewSession(
  { store, clock }: { store: PeopleStore; clock: Clock },
  exchange: Exchange,
  { sessionId, sessionBegan }: Visitor,
): Promise<string | undefined> {
  const cookie = sessionCookieOf(exchange);
  if (cookie === undefined) return undefined;
  const now = clock.now();
  const lastEnd = sessionBegan + msOf(exchange.snapshot.config.dashboard.session_max_s);
  const until = Math.min(now + SESSION_S * 1_000, lastEnd);
  const renewed = await store.changePeople({
    writes: [
      {
        kind: 'update',
        table: 'person_session',
        set: { expires_at: until, updated_at: now },
        where: [
          ...matching({ id: sessionId, token: hashKey(cookie.token) }),
          isBefore('expires_at', until === lastEnd ? until : until - DAY_MS),
        ],
        rows: 1,
      },
    ],
  });
  if (renewed === 'conflict') return undefined;
  const name = sessionCookieName(originOf(exchange).isSecure);
  return formatCookie(exchange, { name, value: cookie.value, lastsS: Math.ceil((until - now) / 1_000) });
}
