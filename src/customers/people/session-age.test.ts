import { expect, test } from 'bun:test';
import { systemClock } from '../../base/lib/clock.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import { openSqliteForTest } from '../../store/sqlite/testing/open-sqlite-for-test.ts';
import { createPerson } from './person.ts';
import { renewSession } from './renew-session.ts';
import { StoredVisitors } from './stored-visitors.ts';

const DAY_S = DAY_MS / 1_000;
const MAX_AGE_DAYS = 30;
const TOKEN = 'token';

const exchange = sampleExchange({
  request: new Request('http://a/', {
    headers: { host: 'a', cookie: `gateway.session_token=${TOKEN}.s` },
  }),
  snapshot: sampleSnapshot(`dashboard: { session_max_s: ${MAX_AGE_DAYS * DAY_S} }`),
});

/** Opens a store with a person and a session of the given age. */
async function openSession({ ageDays, endsInMs }: { ageDays: number; endsInMs: number }) {
  const { store, dispose } = await openSqliteForTest();
  const now = Date.now();
  const person = createPerson({ email: 'a@example.com', name: 'A', isVerified: true }, now);
  const session = {
    id: 'ses_1',
    token: hashKey(TOKEN),
    person_id: person.id,
    created_at: now - ageDays * DAY_MS,
    updated_at: now,
    expires_at: now + endsInMs,
  };
  await store.people.changePeople({
    writes: [
      { kind: 'insert', table: 'person', row: person },
      { kind: 'insert', table: 'person_session', row: session },
    ],
  });
  const visitors = new StoredVisitors({ store: store.people, now: Date.now });
  return { people: store.people, person, visitors, dispose };
}

test('a session ends at its greatest age, however often it was used', async () => {
  for (const ageDays of [MAX_AGE_DAYS - 1, MAX_AGE_DAYS + 1]) {
    const { person, visitors, dispose } = await openSession({ ageDays, endsInMs: DAY_MS });
    const visitor = await visitors.identify(exchange);
    expect(visitor?.userId).toBe(ageDays < MAX_AGE_DAYS ? person.id : undefined);
    await dispose();
  }
});

test('the renewal of a session does not extend it beyond its greatest age', async () => {
  const session = { ageDays: MAX_AGE_DAYS - 1, endsInMs: 60_000 };
  const { people, visitors, dispose } = await openSession(session);
  const visitor = await visitors.identify(exchange);
  const cookie = await renewSession({ store: people, clock: systemClock }, exchange, visitor!);
  expect(Number(/Max-Age=(\d+)/.exec(cookie!)?.[1])).toBeLessThanOrEqual(DAY_S);
  await dispose();
});
