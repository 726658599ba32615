import { expect, test } from 'bun:test';
import { systemClock } from '../../base/lib/clock.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { openSqliteForTest } from '../../store/sqlite/testing/open-sqlite-for-test.ts';
import { createPerson } from './person.ts';
import { renewSession } from './renew-session.ts';
import { StoredVisitors } from './stored-visitors.ts';

test('a session ends at its greatest age, however often it was used', async () => {
  const { store, dispose } = await openSqliteForTest();
  const { people } = store;
  const now = Date.now();
  const person = createPerson({ email: 'a@example.com', name: 'A', isVerified: true }, now);
  const sessionOf = (id: string, age: number) => ({
    id,
    token: hashKey(id),
    person_id: person.id,
    created_at: now - age * DAY_MS,
    updated_at: now,
    expires_at: now + DAY_MS,
  });
  await people.changePeople({
    writes: [
      { kind: 'insert', table: 'person', row: person },
      { kind: 'insert', table: 'person_session', row: sessionOf('young', 29) },
      { kind: 'insert', table: 'person_session', row: sessionOf('old', 31) },
    ],
  });
  const exchangeOf = (token: string) =>
    ({
      request: new Request('http://a/', {
        headers: { host: 'a', cookie: `gateway.session_token=${token}.s` },
      }),
      snapshot: { config: { server: {}, dashboard: { session_max_s: 30 * 86_400 } } },
    }) as unknown as Exchange;
  const visitors = new StoredVisitors({ store: people, now: Date.now });
  expect(await visitors.identify(exchangeOf('old'))).toBeUndefined();
  const visitor = await visitors.identify(exchangeOf('young'));
  expect(visitor?.userId).toBe(person.id);
  await people.changePeople({
    writes: [
      {
        kind: 'update',
        table: 'person_session',
        set: { expires_at: now + 1 },
        where: [{ column: 'id', value: 'young' }],
      },
    ],
  });
  const cookie = await renewSession({ store: people, clock: systemClock }, exchangeOf('young'), visitor!);
  expect(Number(/Max-Age=(\d+)/.exec(cookie!)?.[1])).toBeLessThanOrEqual(86_400);
  await dispose();
});
