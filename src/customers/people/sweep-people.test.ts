import { expect, test } from 'bun:test';
import { openSqliteForTest } from '../../store/sqlite/testing/open-sqlite-for-test.ts';
import type { PeopleWrite } from './people-store.ts';
import { createPerson } from './person.ts';
import { sweepPeople } from './sweep-people.ts';

test('only expired sessions and unverified people are removed', async () => {
  const { store, dispose } = await openSqliteForTest();
  const { people } = store;
  const now = Date.now();
  const [kept, gone] = ['a@example.com', 'b@example.com'].map((email) =>
    createPerson({ email, name: '', isVerified: email.startsWith('a') }, now),
  );
  const session = (id: string, expires_at: number): PeopleWrite => ({
    kind: 'insert',
    table: 'person_session',
    row: { id, token: id, person_id: kept!.id, expires_at, created_at: 0, updated_at: 0 },
  });
  await people.changePeople({
    writes: [
      { kind: 'insert', table: 'person', row: kept! },
      { kind: 'insert', table: 'person', row: gone! },
      session('ses_old', now - 1),
      session('ses_new', now + 30 * 86_400_000),
    ],
  });
  await sweepPeople(people, now);
  expect(await people.countPeople('person')).toBe(2);
  expect((await people.findPeople('person_session')).map(({ id }) => id)).toEqual(['ses_new']);
  await sweepPeople(people, now + 8 * 86_400_000);
  expect((await people.findPeople('person')).map(({ id }) => id)).toEqual([kept!.id]);
  await dispose();
});
