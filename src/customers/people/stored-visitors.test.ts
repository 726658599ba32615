import { expect, test } from 'bun:test';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import { openSqliteForTest } from '../../store/sqlite/testing/open-sqlite-for-test.ts';
import { createPerson } from './person.ts';
import { writesForPassword, writesForRole } from './person-writes.ts';
import { StoredVisitors } from './stored-visitors.ts';

const NAMES = ['operator', 'operator-second-factor', 'member', 'member-without-password'];

test('a person whom the configuration asks for a second factor has no role without one', async () => {
  const { store, dispose } = await openSqliteForTest();
  const now = Date.now();
  for (const name of NAMES) {
    const person = {
      ...createPerson({ email: `${name}@example.com`, name, isVerified: true }, now),
      two_factor_enabled: name.includes('second-factor'),
    };
    const session = {
      id: name,
      token: hashKey(name),
      person_id: person.id,
      created_at: now,
      updated_at: now,
      expires_at: now + 60_000,
    };
    await store.people.changePeople({
      writes: [
        { kind: 'insert', table: 'person', row: person },
        { kind: 'insert', table: 'person_session', row: session },
        ...(name.includes('without') ? [] : writesForPassword(person.id, { hash: 'a hash', now })),
        ...(name.startsWith('operator') ? writesForRole(person.id, { role: 'owner', now }) : []),
      ],
    });
  }
  const visitors = new StoredVisitors({ store: store.people, now: Date.now });
  const askedUnder = async (twoFactor: string) => {
    const snapshot = sampleSnapshot(`dashboard: { two_factor: ${twoFactor} }`);
    const found = await Promise.all(
      NAMES.map((name) =>
        visitors.identify(
          sampleExchange({
            request: new Request('http://a/', {
              headers: { host: 'a', cookie: `gateway.session_token=${name}.s` },
            }),
            snapshot,
          }),
        ),
      ),
    );
    for (const visitor of found) if (visitor?.mustSetTwoFactor) expect(visitor.operator).toBeNull();
    return NAMES.filter((_, index) => found[index]?.mustSetTwoFactor);
  };
  expect(await askedUnder('optional')).toEqual([]);
  expect(await askedUnder('operators')).toEqual(['operator']);
  expect(await askedUnder('everyone')).toEqual(['operator', 'member']);
  await dispose();
});
