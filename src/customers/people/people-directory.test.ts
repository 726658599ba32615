import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { openSqliteForTest } from '../../store/sqlite/testing/open-sqlite-for-test.ts';
import { sampleAccount, sampleAudit } from '../../store/testing/conformance/sample-records.ts';
import type { ChangeNotices } from './change-notices.ts';
import { Memberships, type MembershipsParts } from './memberships.ts';
import { PeopleDirectory } from './people-directory.ts';
import type { PeopleStore, PeopleWrite } from './people-store.ts';
import { createPerson } from './person.ts';
import { ResetLinks } from './reset-links.ts';

test('a new address and a new role are written together or not at all', async () => {
  const { store, dispose } = await openSqliteForTest();
  const now = Date.now;
  const notices = { report() {} } as never;
  const failing: PeopleStore = {
    findPeople: (table, query) => store.people.findPeople(table, query),
    countPeople: (table, where) => store.people.countPeople(table, where),
    countAttempt: (name, at, windowMs) => store.people.countAttempt(name, at, windowMs),
    changePeople: async (change) => {
      if (change.lock === 'operators') throw new Error('the store is away');
      return store.people.changePeople(change);
    },
  };
  const memberships = { syncEmail() {} } as never;
  const directory = new PeopleDirectory({ store: failing, memberships, notices, now });
  const ada = createPerson({ email: 'ada@example.com', name: '', isVerified: true }, now());
  await store.people.changePeople({ writes: [{ kind: 'insert', table: 'person', row: ada }] });
  const change = { email: 'Ada@example.org', role: 'read_only' } as const;
  await expect(directory.change(ada.id, change, { actor: 'admin' })).rejects.toThrow('away');
  expect(await directory.find(ada.id)).toMatchObject({ email: 'ada@example.com', operatorRole: null });
  const working = new PeopleDirectory({ store: store.people, memberships, notices, now });
  const changed = { email: 'ada@example.org', operatorRole: 'read_only' };
  expect(await working.change(ada.id, change, { actor: 'admin' })).toMatchObject(changed);
  await dispose();
});

test.each([
  { change: { role: 'owner' }, what: 'a new role' },
  { change: { email: 'ada@example.org' }, what: 'a new address' },
] as const)('a link for a new password ends with $what', async ({ change }) => {
  const { store, dispose } = await openSqliteForTest();
  const now = Date.now;
  const memberships = partial<Memberships>({ syncEmail: async () => {} });
  const notices = partial<ChangeNotices>({ report() {} });
  const directory = new PeopleDirectory({ store: store.people, memberships, notices, now });
  const resets = new ResetLinks({ store: store.people, now });
  const ada = createPerson({ email: 'ada@example.com', name: '', isVerified: true }, now());
  await store.people.changePeople({ writes: [{ kind: 'insert', table: 'person', row: ada }] });
  const token = await resets.create(ada.id);
  expect(await resets.find(token)).toMatchObject({ person: { id: ada.id } });
  await directory.change(ada.id, change, { actor: 'admin' });
  expect(await resets.find(token)).toBeUndefined();
  await dispose();
});

test('a person who cannot be removed stays in every organization', async () => {
  const { store, dispose } = await openSqliteForTest();
  const now = Date.now;
  const accounts = partial<MembershipsParts['accounts']>({ find: async () => new Refusal('not_found') });
  const memberships = new Memberships({ store: store.people, accounts, forgetKeys() {}, now });
  const notices = partial<ChangeNotices>({ report() {} });
  const directory = new PeopleDirectory({ store: store.people, memberships, notices, now });
  const [ada, bob] = ['ada@example.com', 'bob@example.com'].map((email) =>
    createPerson({ email, name: '', isVerified: true }, now()),
  );
  const people = [ada!, bob!].map((row): PeopleWrite => ({ kind: 'insert', table: 'person', row }));
  await store.people.changePeople({ writes: people });
  for (const id of ['acct_1', 'acct_2']) await store.createAccount(sampleAccount({ id }), sampleAudit());
  await memberships.add('acct_1', bob!, 'owner', 'admin');
  await memberships.add('acct_1', ada!, 'developer', 'admin');
  await memberships.add('acct_2', ada!, 'owner', 'admin');
  expect(await directory.remove(ada!.id, { actor: 'admin' })).toMatchObject({ code: 'conflict' });
  expect(await directory.find(ada!.id)).toMatchObject({
    memberships: [{ accountId: 'acct_1' }, { accountId: 'acct_2' }],
  });
  await memberships.add('acct_2', bob!, 'owner', 'admin');
  expect(await directory.remove(ada!.id, { actor: 'admin' })).toBeUndefined();
  expect(await directory.find(ada!.id)).toBeInstanceOf(Refusal);
  await dispose();
});
