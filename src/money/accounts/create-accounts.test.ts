import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptedOrError } from '../../base/errors/accepted-or-error.ts';
import { namesOf } from '../../base/lib/names.ts';
import { builtinPlans, type Plans } from '../../settings/plans/plan.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import type { AccountStore } from './account-store.ts';
import type { Accounts } from './accounts.ts';
import { createAccounts } from './create-accounts.ts';
import { isWellFormedKey } from './key-format.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-accounts-'));
const time = { now: Date.parse('2026-01-31T00:00:00Z') };
const clock = { now: () => time.now };
const store = await openSqliteStore({ directory, clock });
const plans = Object.fromEntries(builtinPlans.map((plan) => [plan.id, plan])) as Plans;
const changed: string[] = [];

const over = (accountStore: AccountStore): Accounts =>
  createAccounts({
    store: accountStore,
    clock,
    plans: () => plans,
    names: () => namesOf('svc'),
    resolveModelId: (spelling) => (spelling.endsWith('small') ? '@svc/small' : undefined),
    onKeyChanged: ({ hash }) => changed.push(hash),
    onAccountChanged: (id) => changed.push(id),
  });
const accounts = over(store);

afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

test('creates, finds, lists and changes an account, with each change in the audit log [ADM-37]', async () => {
  const { id } = await accounts.create({ name: 'Ada', email: 'ada@example.org', plan: 'pro' }, 'admin');
  expect(acceptedOrError(await accounts.find(id))).toMatchObject({
    name: 'Ada',
    plan: 'pro',
    status: 'active',
    version: 1,
  });
  expect((await accounts.list({ limit: 10 })).items.map((account) => account.id)).toContain(id);
  expect(acceptedOrError(await accounts.change(id, { name: 'Bea' }, 'admin'))).toMatchObject({
    name: 'Bea',
    version: 2,
  });
  expect(changed.at(-1)).toBe(id);
  const [entry] = (await accounts.listAudit({ limit: 1 })).items;
  expect(entry).toMatchObject({ actor: 'admin', action: 'account-change', target: id, at: time.now });
  expect(entry).toMatchObject({
    before: { name: 'Ada' },
    after: { name: 'Bea' },
  });
});

test('a rotation without an overlap keeps no time, since nodes read different clocks', async () => {
  const { id } = await accounts.create({ name: 'Bo', plan: 'pro' }, 'admin');
  const { apiKey } = acceptedOrError(await accounts.createKey(id, {}, 'admin'));
  const slow = acceptedOrError(await accounts.rotateKey(apiKey.id, 60_000, 'admin'));
  expect(slow.apiKey.previous).toEqual({ hash: apiKey.hash, endsAt: time.now + 60_000 });
  expect(acceptedOrError(await accounts.rotateKey(apiKey.id, 0, 'admin')).apiKey.previous).toBeNull();
});

test('a downgrade is pending until the renewal [PLN-14]', async () => {
  const { id } = await accounts.create({ name: 'Cy', plan: 'pro' }, 'admin');
  expect(acceptedOrError(await accounts.change(id, { plan: 'starter' }, 'admin'))).toMatchObject({
    plan: 'pro',
    pendingPlan: 'starter',
  });
  time.now = Date.parse('2026-03-05T00:00:00Z');
  expect(acceptedOrError(await accounts.find(id))).toMatchObject({
    plan: 'starter',
    pendingPlan: null,
    cycleStartedAt: Date.parse('2026-02-28T00:00:00Z'),
  });
  expect(acceptedOrError(await accounts.change(id, { name: 'Cy' }, 'admin')).cycleDay).toBe(31);
});

test('a cycle moved far into the past renews immediately [PLN-11]', async () => {
  const { id } = await accounts.create({ name: 'Di', plan: 'max' }, 'admin');
  await accounts.change(id, { plan: 'pro' }, 'admin');
  const cycleStartedAt = Date.parse('2025-12-31T00:00:00Z');
  expect(acceptedOrError(await accounts.change(id, { cycleStartedAt }, 'admin'))).toMatchObject({
    plan: 'pro',
    cycleStartedAt: Date.parse('2026-02-28T00:00:00Z'),
  });
  const future = await accounts.change(id, { cycleStartedAt: time.now + 1 }, 'admin');
  expect(future).toMatchObject({ code: 'invalid_request', param: 'cycle_started_at' });
});

test('a price agreed in the same change as a plan applies to the new plan [PLN-10] [PLN-17]', async () => {
  const { id } = await accounts.create({ name: 'Ed', plan: 'pro' }, 'admin');
  const change = { plan: 'scale', priceUsdPerMonth: 79 } as const;
  expect(acceptedOrError(await accounts.change(id, change, 'admin'))).toMatchObject(change);
});

test('a closed account must be reopened before it can be suspended', async () => {
  const { id } = await accounts.create({ name: 'Flo', plan: 'free' }, 'admin');
  for (const status of ['suspended', 'closed', 'closed', 'active'] as const) {
    expect(acceptedOrError(await accounts.change(id, { status }, 'admin')).status).toBe(status);
  }
  await accounts.change(id, { status: 'closed' }, 'admin');
  expect(await accounts.change(id, { status: 'suspended' }, 'admin')).toMatchObject({ code: 'conflict' });
});

test('a closed account accepts no plan and no keys until it is reopened, but its keys can be revoked', async () => {
  const { id } = await accounts.create({ name: 'Flo', plan: 'pro' }, 'admin');
  const { apiKey } = acceptedOrError(await accounts.createKey(id, {}, 'admin'));
  await accounts.change(id, { status: 'closed' }, 'admin');
  const refused = [
    accounts.change(id, { plan: 'scale' }, 'admin'),
    accounts.change(id, { plan: 'scale', status: 'closed' }, 'admin'),
    accounts.createKey(id, {}, 'admin'),
    accounts.changeKey(apiKey.id, { payg: true }, 'admin'),
  ];
  for (const answer of await Promise.all(refused)) {
    expect(answer).toMatchObject({
      code: 'account_closed',
      message: expect.stringContaining('active first'),
    });
  }
  expect(acceptedOrError(await accounts.find(id))).toMatchObject({ plan: 'pro', status: 'closed' });
  expect(acceptedOrError(await accounts.listKeys(id))).toEqual([apiKey]);
  expect(acceptedOrError(await accounts.change(id, { name: 'Flora' }, 'admin')).name).toBe('Flora');
  expect(acceptedOrError(await accounts.revokeKey(apiKey.id, 'admin')).revokedAt).toBe(time.now);
  const reopened = acceptedOrError(await accounts.change(id, { status: 'active', plan: 'scale' }, 'admin'));
  expect(reopened).toMatchObject({ status: 'active', plan: 'scale' });
  expect(acceptedOrError(await accounts.createKey(id, {}, 'admin')).apiKey.accountId).toBe(id);
});

test('a key is shown once, but never in the audit log [AUT-04] [ADM-37]', async () => {
  const { id } = await accounts.create({ name: 'Gil', plan: 'free' }, 'admin');
  const wanted = { name: 'ci', allowedModels: ['small', '@svc/small'] };
  const { apiKey, secret } = acceptedOrError(await accounts.createKey(id, wanted, 'admin'));
  expect(isWellFormedKey(secret, 'svc_')).toBe(true);
  expect(apiKey).toMatchObject({ accountId: id, name: 'ci', allowedModels: ['@svc/small'], payg: false });
  expect(await store.findKeyByHash(apiKey.hash)).toEqual(apiKey);
  await accounts.changeKey(apiKey.id, { payg: true }, 'admin');
  await accounts.revokeKey(apiKey.id, 'admin');
  const log = JSON.stringify((await accounts.listAudit({ limit: 1000 })).items);
  expect(log).toContain(apiKey.id);
  expect(log).not.toContain(apiKey.hash);
  expect(log).not.toContain(secret);
});

test('a revoked key stays revoked and cannot be changed [ADM-32]', async () => {
  const { id } = await accounts.create({ name: 'Hal', plan: 'free' }, 'admin');
  const { apiKey } = acceptedOrError(await accounts.createKey(id, {}, 'admin'));
  const revoked = acceptedOrError(await accounts.revokeKey(apiKey.id, 'admin'));
  expect(revoked.revokedAt).toBe(time.now);
  expect(changed.at(-1)).toBe(apiKey.hash);
  expect(await accounts.revokeKey(apiKey.id, 'admin')).toEqual(revoked);
  expect(await accounts.changeKey(apiKey.id, { name: 'x' }, 'admin')).toMatchObject({ code: 'conflict' });
  expect(acceptedOrError(await accounts.listKeys(id))).toEqual([revoked]);
});

test('refuses an unknown model, account or key', async () => {
  const { id } = await accounts.create({ name: 'Ida', plan: 'free' }, 'admin');
  const refused = await accounts.createKey(id, { allowedModels: ['small', 'nope'] }, 'admin');
  expect(refused).toMatchObject({ code: 'invalid_request', param: 'allowed_models[1]' });
  const unknown = [
    accounts.find('acct_x'),
    accounts.change('acct_x', {}, 'admin'),
    accounts.createKey('acct_x', {}, 'admin'),
    accounts.listKeys('acct_x'),
    accounts.changeKey('key_x', {}, 'admin'),
    accounts.revokeKey('key_x', 'admin'),
  ];
  for (const answer of await Promise.all(unknown)) expect(answer).toMatchObject({ code: 'not_found' });
});

test('concurrent changes all take effect, one after the other', async () => {
  const { id } = await accounts.create({ name: 'Jo', plan: 'free' }, 'admin');
  const changes = [{ name: 'Jo B' }, { email: 'jo@example.org' }, { emailVerified: true }];
  await Promise.all(changes.map((change) => accounts.change(id, change, 'admin')));
  expect(acceptedOrError(await accounts.find(id))).toMatchObject({
    ...Object.assign({}, ...changes),
    version: 4,
  });
});

test('refuses a change as a conflict if other writers are always faster', async () => {
  const { id } = await accounts.create({ name: 'Kai', plan: 'free' }, 'admin');
  const alwaysLate: Pick<AccountStore, 'findAccount' | 'saveAccount'> = {
    findAccount: () => store.findAccount(id),
    saveAccount: async () => 'conflict',
  };
  const late = over(alwaysLate as AccountStore);
  expect(await late.change(id, { name: 'x' }, 'admin')).toMatchObject({ code: 'conflict' });
});
