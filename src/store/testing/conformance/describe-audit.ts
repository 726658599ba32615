import { describe, expect } from 'bun:test';
import { MINUTE_MS } from '../../../base/lib/units.ts';
import type { AuditFilter, AuditRecord } from '../../../money/accounts/audit.ts';
import type { RepeatedEvent } from '../../../money/accounts/repeated-event.ts';
import { everyPage } from './every-page.ts';
import { sampleEntry } from './sample-ledger.ts';
import { sampleAccount, sampleAudit, sampleKey } from './sample-records.ts';
import { type OpenStore, type StoreTest, storeTest, type TestedStore } from './store-test.ts';
import { textSamples } from './text-samples.ts';

export function describeAudit(open: OpenStore): void {
  describe('audit', () => {
    const check = storeTest(open);
    checkTransaction(check);
    checkRecords(check);
    checkJoining(check);
    checkRepetitions(check);
    checkRetention(check);
    checkPaging(check);
    checkFilters(check);
  });
}

async function actions(store: TestedStore): Promise<string[]> {
  return (await store.listAudit({ limit: 100 })).items.map(({ action }) => action).reverse();
}

const withoutId = ({ id: _id, ...entry }: AuditRecord): Omit<AuditRecord, 'id'> => entry;

function checkTransaction(check: StoreTest): void {
  check('writes an audit entry with every change [ADM-37]', async ({ store }) => {
    const account = sampleAccount();
    const key = sampleKey(account.id);
    await store.createAccount(account, sampleAudit({ action: 'account-create' }));
    await store.saveAccount(account, sampleAudit({ action: 'account-change' }));
    await store.createKey(key, sampleAudit({ action: 'key-create' }));
    await store.saveKey(key, sampleAudit({ action: 'key-revoke' }));
    await store.recordAudit(sampleAudit({ action: 'configuration-reload' }));
    expect(await actions(store)).toEqual([
      'account-create',
      'account-change',
      'key-create',
      'key-revoke',
      'configuration-reload',
    ]);
  });

  check('writes the audit entry of given credit with its entry, once [ADM-37]', async ({ store }) => {
    const audit = sampleAudit({ action: 'credit-adjustment' });
    const given = sampleEntry({ kind: 'adjustment', microcredits: 100 });
    expect(await Promise.all([1, 2].map(() => store.ledger.give(given, { audit })))).toEqual([true, true]);
    expect(await store.ledger.give(given, { audit })).toBe(true);
    const tooMuch = sampleEntry({ kind: 'adjustment', microcredits: -101 });
    expect(await store.ledger.give(tooMuch, { audit })).toBe(false);
    expect(await actions(store)).toEqual(['credit-adjustment']);
  });

  check('writes no audit entry for a refused change [ADM-37]', async ({ store }) => {
    const account = sampleAccount();
    const key = sampleKey(account.id);
    await store.createAccount(account, sampleAudit({ action: 'account-create' }));
    await store.createKey(key, sampleAudit({ action: 'key-create' }));
    const refused = sampleAudit({ action: 'refused' });
    await store.saveAccount({ ...account, version: 5 }, refused);
    await store.saveKey({ ...key, version: 5 }, refused);
    await expect(store.createAccount(account, refused)).rejects.toThrow();
    await expect(store.createKey(key, refused)).rejects.toThrow();
    await expect(store.createKey(sampleKey('acct_none'), refused)).rejects.toThrow();
    expect(await actions(store)).toEqual(['account-create', 'key-create']);
  });

  check('makes no change whose audit entry cannot be written [ADM-37]', async ({ store }) => {
    const account = sampleAccount();
    await store.createAccount(account, sampleAudit());
    const unwritable = sampleAudit({ actor: null as unknown as string });
    const created = sampleAccount();
    await expect(store.createAccount(created, unwritable)).rejects.toThrow();
    await expect(store.saveAccount({ ...account, name: 'changed' }, unwritable)).rejects.toThrow();
    await expect(store.createKey(sampleKey(account.id), unwritable)).rejects.toThrow();
    expect(await store.findAccount(created.id)).toBeUndefined();
    expect(await store.findAccount(account.id)).toEqual(account);
    expect(await store.listKeys(account.id)).toEqual([]);
  });
}

function checkRecords(check: StoreTest): void {
  check(
    'keeps actor, action, time, and the states before and after, even after a restart [ADM-37]',
    async ({ store, reopen }) => {
      const entries = [
        sampleAudit({ before: null, after: { plan: 'pro', nested: [1, 2.5, { deep: null }], flag: false } }),
        sampleAudit({ at: 0, actor: 'Zoë', action: 'plan-change', target: '', before: 'text', after: [] }),
        ...textSamples.map((text) => sampleAudit({ before: { text }, after: text })),
      ];
      for (const entry of entries) await store.recordAudit(entry);
      const { items } = await (await reopen()).listAudit({ limit: 100 });
      expect(items.map(withoutId).reverse()).toEqual(entries.map((entry) => ({ ...entry, changes: 1 })));
    },
  );

  check('stores undefined as null', async ({ store }) => {
    await store.recordAudit(sampleAudit({ before: undefined, after: undefined }));
    const { items } = await store.listAudit({ limit: 1 });
    expect(items[0]).toMatchObject({ before: null, after: null });
  });
}

function checkFilters(check: StoreTest): void {
  check('lists the audit entries that fit every given part of a filter, in pages', async ({ store }) => {
    for (let at = 0; at < 12; at += 1)
      await store.recordAudit(
        sampleAudit({
          at,
          actor: at % 2 === 0 ? 'ada' : "o'hara",
          action: at % 3 === 0 ? 'key-revoke' : 'key-create',
          target: `key_${at % 4}`,
        }),
      );
    const found = async (filter: AuditFilter) =>
      (await everyPage((page) => store.listAudit({ ...page, ...filter }), 2)).flat().map(({ at }) => at);
    expect(await found({ actor: "o'hara" })).toEqual([11, 9, 7, 5, 3, 1]);
    expect(await found({ action: 'key-revoke' })).toEqual([9, 6, 3, 0]);
    expect(await found({ target: 'key_2' })).toEqual([10, 6, 2]);
    expect(await found({ since: 9 })).toEqual([11, 10, 9]);
    expect(await found({ until: 2 })).toEqual([2, 1, 0]);
    expect(await found({ since: 4, until: 6 })).toEqual([6, 5, 4]);
    expect(await found({ actor: 'ada', since: 1, until: 4 })).toEqual([4, 2]);
    expect(await found({ actor: 'ada', action: 'key-revoke', target: 'key_2', since: 1 })).toEqual([6]);
    for (const filter of [
      { actor: 'AD' },
      { action: 'key-' },
      { target: '' },
      { target: '\0' },
      { since: 12 },
      { until: -1 },
      { since: 6, until: 5 },
    ])
      expect(await found(filter)).toEqual([]);
  });

  check('finds audit entries by time although the clock was moved back in between', async ({ store }) => {
    for (const at of [1, 9, 3, 8, 5]) await store.recordAudit(sampleAudit({ at }));
    const found = async (filter: AuditFilter) =>
      (await store.listAudit({ limit: 10, ...filter })).items.map(({ at }) => at);
    expect(await found({ until: 5 })).toEqual([5, 3, 1]);
    expect(await found({ since: 8 })).toEqual([8, 9]);
    expect(await found({ since: 3, until: 8 })).toEqual([5, 8, 3]);
  });
}

function checkPaging(check: StoreTest): void {
  check('lists audit entries newest first, in pages, with ids in order', async ({ store }) => {
    for (let at = 0; at < 25; at += 1) await store.recordAudit(sampleAudit({ at }));
    const pages = await everyPage((page) => store.listAudit(page), 10);
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
    const records = pages.flat();
    expect(records.map(({ at }) => at)).toEqual(Array.from({ length: 25 }, (_, index) => 24 - index));
    const ids = records.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(new Set(ids).size).toBe(25);
    expect(ids.every((id) => id.startsWith('aud_'))).toBe(true);
  });

  check('continues after a page although newer entries were added in between', async ({ store }) => {
    for (let at = 0; at < 4; at += 1) await store.recordAudit(sampleAudit({ at }));
    const first = await store.listAudit({ limit: 2 });
    await store.recordAudit(sampleAudit({ at: 99 }));
    const second = await store.listAudit({ limit: 2, after: first.items.at(-1)?.id });
    expect(second.items.map(({ at }) => at)).toEqual([1, 0]);
    expect(second.hasMore).toBe(false);
  });

  check('finds an entry by its id, and none by another id', async ({ store }) => {
    await store.recordAudit(sampleAudit({ at: 1 }));
    await store.recordAudit(sampleAudit({ at: 2 }));
    for (const record of (await store.listAudit({ limit: 10 })).items)
      expect(await store.findAudit(record.id)).toEqual(record);
    for (const id of ['aud_none', 'aud_', '', '1', 'aud_9999999999999999', 'aud_0000000000000003'])
      expect(await store.findAudit(id)).toBeUndefined();
  });

  check('returns no page after an unknown entry', async ({ store }) => {
    await store.recordAudit(sampleAudit());
    for (const after of ['aud_none', 'aud_', '', '1', 'aud_-1', 'aud_1e3']) {
      expect(await store.listAudit({ limit: 10, after })).toEqual({ items: [], hasMore: false });
    }
  });
}

function checkJoining(check: StoreTest): void {
  const states = async (store: TestedStore) =>
    (await store.listAudit({ limit: 100 })).items.reverse().map(({ before, after }) => [before, after]);
  const change = (before: object, after: object, fields: Partial<AuditRecord> = {}) =>
    sampleAudit({ at: 1_000, actor: 'ada', action: 'key-change', target: 'key_1', before, after, ...fields });
  const key = (name: string, cap: number | null = null) => ({ id: 'key_1', name, cap });

  check('repeated changes of one field by one actor within ten minutes are one entry', async ({ store }) => {
    await store.recordAudit(change(key('a'), key('b')));
    await store.recordAudit(change(key('b'), key('b', 5), { at: 2_000 }));
    await store.recordAudit(change(key('b', 5), key('c', 5), { at: 9 * MINUTE_MS }));
    await store.recordAudit(change(key('c', 5), key('c', 7), { at: 9 * MINUTE_MS }));
    expect(await states(store)).toEqual([
      [key('a'), key('c')],
      [key('b'), key('b', 7)],
    ]);
    const { items } = await store.listAudit({ limit: 100 });
    expect(items.map(({ at, changes }) => [at, changes])).toEqual([
      [2_000, 2],
      [1_000, 2],
    ]);
  });

  check('a change that is taken back stays one entry with the number of changes', async ({ store }) => {
    await store.recordAudit(change(key('a'), key('b')));
    await store.recordAudit(change(key('b'), key('a'), { at: 2_000 }));
    const { items } = await store.listAudit({ limit: 100 });
    expect(items).toMatchObject([{ before: key('a'), after: key('a'), changes: 2 }]);
    expect(await store.findAudit(items[0]!.id)).toEqual(items[0]!);
  });

  check('changes of roles, states, addresses and the configuration are never joined', async ({ store }) => {
    const separate: [string, object, object][] = [
      ['member-change', { id: 'm', role: 'viewer' }, { id: 'm', role: 'owner' }],
      ['operator-change', { id: 'p', role: null }, { id: 'p', role: 'admin' }],
      ['account-change', { id: 'a', status: 'active' }, { id: 'a', status: 'suspended' }],
      ['account-change', { id: 'b', email: 'a@example.com' }, { id: 'b', email: 'b@example.com' }],
      ['person-email-change', { id: 'p', email: 'a@example.com' }, { id: 'p', email: 'b@example.com' }],
      ['config-change', { id: 'c', lines: 1 }, { id: 'c', lines: 2 }],
      ['key-revoke', { id: 'k', revokedAt: null }, { id: 'k', revokedAt: 1 }],
    ];
    for (const [action, before, after] of separate) {
      await store.recordAudit(change(before, after, { action }));
      await store.recordAudit(change(after, before, { action }));
    }
    const { items } = await store.listAudit({ limit: 100 });
    expect(items.map(({ changes }) => changes)).toEqual(Array(14).fill(1));
  });

  check(
    'changes by another actor, of another thing, of several fields or later are entries of their own',
    async ({ store }) => {
      const first = change(key('a'), key('b'));
      const others = [
        change(key('b'), key('c'), { actor: 'grace' }),
        change(key('b'), key('c'), { target: 'key_2' }),
        change(key('b'), key('c'), { at: first.at + 10 * MINUTE_MS }),
        change(key('b'), key('c', 1)),
        change(key('x'), key('y')),
        change(key('b'), key('c'), { action: 'key-rotate' }),
      ];
      for (const entry of [first, ...others]) await store.recordAudit(entry);
      expect(await states(store)).toHaveLength(7);
      const member = (email: string, role: string) => ({ email, role });
      for (const email of ['a@example.com', 'b@example.com'])
        await store.recordAudit(change(member(email, 'viewer'), member(email, 'owner'), { target: 'acc_1' }));
      expect(await states(store)).toHaveLength(9);
    },
  );
}

function checkRetention(check: StoreTest): void {
  check('entries beyond the retention are removed, the oldest ones first', async ({ store }) => {
    for (let at = 1; at <= 5; at++) await store.recordAudit(sampleAudit({ at, action: `action-${at}` }));
    expect(await store.sweepAudit({ recordedBefore: 5, limit: 3 })).toBe(3);
    expect(await actions(store)).toEqual(['action-4', 'action-5']);
    expect(await store.sweepAudit({ recordedBefore: 5, limit: 3 })).toBe(1);
    expect(await store.sweepAudit({ recordedBefore: 5, limit: 3 })).toBe(0);
    expect(await actions(store)).toEqual(['action-5']);
  });
}

function checkRepetitions(check: StoreTest): void {
  const read = (fields: Partial<RepeatedEvent> = {}): RepeatedEvent => ({
    at: 1_000,
    actor: 'ada',
    action: 'content-read',
    target: 'req_1',
    details: { account: 'acct_1', kind: 'request' },
    times: 1,
    ...fields,
  });
  const counted = async (store: TestedStore) =>
    (await store.listAudit({ limit: 100 })).items.reverse().map(({ at, after }) => [at, after]);

  check(
    'repetitions of an event within ten minutes are one entry with a count [ADM-50]',
    async ({ store }) => {
      await store.recordRepeated(read());
      await store.recordRepeated(read({ at: 2_000, times: 3 }));
      await store.recordRepeated(read({ at: 600_999 }));
      const { details } = read();
      expect(await counted(store)).toEqual([[1_000, { ...details, times: 5, lastAt: 600_999 }]]);
      await store.recordRepeated(read({ at: 601_000 }));
      await store.recordRepeated(read({ at: 601_001 }));
      expect((await counted(store))[1]).toEqual([601_000, { ...details, times: 2, lastAt: 601_001 }]);
    },
  );

  check('events with another actor, action, target or detail are entries of their own', async ({ store }) => {
    const others: Partial<RepeatedEvent>[] = [
      { actor: 'grace' },
      { action: 'sign-in-failed' },
      { target: 'req_2' },
      { details: { account: 'acct_1', kind: 'batch' } },
      { details: {} },
    ];
    await store.recordAudit(
      sampleAudit({ at: 1_000, actor: 'ada', action: 'content-read', target: 'req_1' }),
    );
    for (const fields of [{}, ...others]) await store.recordRepeated(read(fields));
    expect((await counted(store)).slice(1).map(([, after]) => (after as { times: number }).times)).toEqual(
      Array(6).fill(1),
    );
  });
}
