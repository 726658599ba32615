import { describe, expect } from 'bun:test';
import { newId } from '../../../base/lib/ids.ts';
import type { ApiKey } from '../../../money/accounts/api-key.ts';
import { sampleAccount, sampleAudit, sampleKey } from './sample-records.ts';
import { type OpenStore, type StoreTest, storeTest } from './store-test.ts';

export function describePeople(open: OpenStore): void {
  describe('people', () => {
    const check = storeTest(open);
    checkRows(check);
    checkChanges(check);
    checkAttempts(check);
    checkRevocations(check);
  });
}

const personRow = (fields: Record<string, string | boolean> = {}) => ({
  id: newId('usr_'),
  email: `${newId('')}@example.com`,
  name: 'Ada',
  email_verified: true,
  image: null,
  two_factor_enabled: false,
  created_at: 1,
  updated_at: 2,
  ...fields,
});

const tokenRow = (fields: Record<string, string | number> = {}) => ({
  id: newId('tok_'),
  identifier: 'i',
  value: 'v',
  expires_at: 10,
  created_at: 1,
  updated_at: 1,
  ...fields,
});

function checkRows(check: StoreTest): void {
  check('finds, counts, changes and deletes rows, even after a restart', async (opened) => {
    const { people } = opened.store;
    const ada = personRow();
    const zoe = personRow({ name: 'Zoë', email_verified: false });
    const writes = [ada, zoe].map((row) => ({ kind: 'insert', table: 'person', row }) as const);
    expect(await people.changePeople({ writes })).toEqual([[ada], [zoe]]);
    const again = (await opened.reopen()).people;
    const unverified = [{ column: 'email_verified', value: false }];
    expect(await again.findPeople('person', { where: unverified })).toEqual([zoe]);
    const where = [{ column: 'id', is: 'in', value: [ada.id, zoe.id] }] as const;
    const sort = { column: 'name', descending: true };
    expect(await again.findPeople('person', { where, sort, limit: 1, offset: 1 })).toEqual([ada]);
    expect(await again.countPeople('person', [{ column: 'name', is: 'ne', value: 'Ada' }])).toBe(1);
    expect(await again.findPeople('person', { where: [{ column: 'email', value: 'a\0' }] })).toEqual([]);
    const either = [ada, zoe].map(({ id }) => ({ column: 'id', value: id, isAlternative: true }));
    const change = { kind: 'delete', table: 'person', where: [...unverified, ...either] } as const;
    expect(await again.changePeople({ writes: [change] })).toEqual([[zoe]]);
    expect(await again.countPeople('person')).toBe(1);
  });

  check('reaches no other table and no other column', async ({ store: { people } }) => {
    await expect(people.findPeople('account' as 'person')).rejects.toThrow();
    const where = [{ column: 'name = name OR 1', value: 1 }];
    await expect(people.findPeople('person', { where })).rejects.toThrow();
  });

  check('gives a row to one of many who take it at the same time', async ({ store: { people } }) => {
    const rows = [tokenRow(), tokenRow()];
    await people.changePeople({
      writes: rows.map((row) => ({ kind: 'insert', table: 'sign_in_token', row }) as const),
    });
    const where = [{ column: 'identifier', value: 'i' }];
    const take = { kind: 'delete', table: 'sign_in_token', where, isOne: true } as const;
    const first = await people.changePeople({ writes: [take] });
    expect((first as unknown[][])[0]).toHaveLength(1);
    const rest = await Promise.all([1, 2, 3].map(() => people.changePeople({ writes: [take] })));
    expect(rest.flat(2)).toHaveLength(1);
  });
}

function checkChanges(check: StoreTest): void {
  check('makes a change whole with its audit entry, or not at all', async ({ store }) => {
    const account = sampleAccount();
    await store.createAccount(account, sampleAudit());
    const { people } = store;
    const owners = [personRow(), personRow()];
    const memberOf = ({ id }: { id: string }) => ({
      account_id: account.id,
      person_id: id,
      role: 'owner',
      created_at: 1,
    });
    await people.changePeople({
      writes: owners.flatMap((row) => [
        { kind: 'insert', table: 'person', row } as const,
        { kind: 'insert', table: 'membership', row: memberOf(row) } as const,
      ]),
    });
    const leave = ({ id }: { id: string }) =>
      people.changePeople({
        writes: [
          { kind: 'delete', table: 'membership', where: [{ column: 'person_id', value: id }], rows: 1 },
          { kind: 'expect', table: 'membership', where: [{ column: 'role', value: 'owner' }] },
        ],
        audit: [sampleAudit({ action: 'member-remove' })],
        lock: account.id,
      });
    const outcomes = await Promise.all(owners.map(leave));
    expect(outcomes.filter((outcome) => outcome === 'conflict')).toHaveLength(1);
    expect(await people.countPeople('membership')).toBe(1);
    const { items } = await store.listAudit({ limit: 10 });
    expect(items.filter(({ action }) => action === 'member-remove')).toHaveLength(1);
  });

  check('a change that would leave more rows than allowed changes nothing', async ({ store: { people } }) => {
    const invite = (email: string) =>
      people.changePeople({
        writes: [
          { kind: 'insert', table: 'link_request', row: { id: email, kind: 'reset', email, created_at: 1 } },
          {
            kind: 'expect',
            table: 'link_request',
            limit: 2,
            where: [{ column: 'kind', value: 'reset' }],
          },
        ],
        lock: 'rows',
      });
    const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((name) => invite(`${name}@example.com`)));
    expect(outcomes.filter((outcome) => outcome === 'conflict')).toHaveLength(2);
    expect(await people.countPeople('link_request')).toBe(2);
  });

  check('refuses a second person with an address', async ({ store: { people } }) => {
    const insert = () =>
      people.changePeople({
        writes: [{ kind: 'insert', table: 'person', row: personRow({ email: 'a@example.com' }) }],
      });
    const outcomes = await Promise.all([insert(), insert()]);
    expect(outcomes.filter((outcome) => outcome === 'conflict')).toHaveLength(1);
  });
}

function checkAttempts(check: StoreTest): void {
  check('counts attempts in windows', async ({ store: { people } }) => {
    expect(await people.countAttempt('a', 0, 100)).toEqual({ count: 1, until: 100 });
    expect(await people.countAttempt('b', 10, 100)).toEqual({ count: 1, until: 110 });
    const counts = await Promise.all([20, 20, 20].map((now) => people.countAttempt('a', now, 100)));
    expect(counts.map(({ count }) => count).sort()).toEqual([2, 3, 4]);
    expect(await people.countAttempt('a', 100, 100)).toEqual({ count: 1, until: 200 });
    // The clock was set back.
    expect(await people.countAttempt('a', -1_000, 100)).toEqual({ count: 1, until: -900 });
  });
}

function checkRevocations(check: StoreTest): void {
  check('revokes the keys of tokens with the change, or neither', async ({ store }) => {
    const account = sampleAccount();
    await store.createAccount(account, sampleAudit());
    const person = personRow();
    const [mine, others, unnamed] = [1, 2, 3].map(() => sampleKey(account.id)) as [ApiKey, ApiKey, ApiKey];
    for (const key of [mine, others, unnamed]) await store.createKey(key, sampleAudit());
    const token = (key: ApiKey, hash: string) => ({
      id: newId('ctk_'),
      hash,
      key_id: key.id,
      account_id: account.id,
      person_id: person.id,
      used_at: null,
      created_at: 1,
      expires_at: 2,
      kept_until: 3,
    });
    const rows = [token(mine, newId('')), token(mine, newId('')), token(others, newId(''))];
    await store.people.changePeople({
      writes: [
        { kind: 'insert', table: 'person', row: person },
        ...rows.map((row) => ({ kind: 'insert', table: 'client_token', row }) as const),
      ],
    });
    const where = [{ column: 'key_id', value: mine.id }];
    const revokes = { where, at: 77, actor: 'ada@example.com' };
    const nothing = [{ column: 'id', value: 'usr_nobody' }];
    const impossible = { kind: 'delete', table: 'person', where: nothing, rows: 1 } as const;
    const revokedAt = async () =>
      (await Promise.all([mine, others, unnamed].map(({ id }) => store.findKey(id)))).map(
        (key) => key?.revokedAt,
      );
    expect(await store.people.changePeople({ writes: [impossible], revokes })).toBe('conflict');
    expect(await revokedAt()).toEqual([null, null, null]);
    expect(await store.people.changePeople({ writes: [], revokes })).toEqual([]);
    await store.people.changePeople({ writes: [], revokes: { ...revokes, at: 88 } });
    expect(await revokedAt()).toEqual([77, null, null]);
    const { items } = await store.listAudit({ limit: 5, target: mine.id, action: 'key-revoke' });
    expect(items).toMatchObject([
      { actor: 'ada@example.com', before: { revokedAt: null }, after: { revokedAt: 77 } },
    ]);
    expect(JSON.stringify(items)).not.toContain(mine.hash);
  });
}
