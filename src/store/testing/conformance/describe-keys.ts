import { describe, expect } from 'bun:test';
import type { ApiKey } from '../../../money/accounts/api-key.ts';
import { sampleAccount, sampleAudit, sampleKey } from './sample-records.ts';
import { type OpenStore, type StoreTest, storeTest, type TestedStore } from './store-test.ts';
import { textSamples } from './text-samples.ts';

const fullKey: Partial<ApiKey> = {
  name: 'laptop',
  payg: true,
  monthlyCapUsd: 12.5,
  allowedModels: ['@svc/small', 'ünï/模型'],
  limits: { requestsPerMin: 10, tokensPerMin: null, concurrent: 2 },
  expiresAt: Date.UTC(2026, 5, 1),
  revokedAt: Date.UTC(2026, 1, 1),
};

export function describeKeys(open: OpenStore): void {
  describe('keys', () => {
    const check = storeTest(open);
    checkReading(check);
    checkListing(check);
    checkBound(check);
    checkSaving(check);
    checkRotating(check);
    checkRevoking(check);
  });
}

async function createdAccount(store: TestedStore): Promise<string> {
  const account = sampleAccount();
  await store.createAccount(account, sampleAudit());
  return account.id;
}

async function createdKey(store: TestedStore, fields: Partial<ApiKey> = {}): Promise<ApiKey> {
  const key = sampleKey(await createdAccount(store), fields);
  await store.createKey(key, sampleAudit());
  return key;
}

async function expectFound(store: TestedStore, key: ApiKey): Promise<void> {
  expect(await store.findKey(key.id)).toEqual(key);
  expect(await store.findKeyByHash(key.hash)).toEqual(key);
}

function checkReading(check: StoreTest): void {
  check('finds a key by its id and by its hash, even after a restart', async ({ store, reopen }) => {
    const plain = await createdKey(store);
    const full = await createdKey(store, fullKey);
    for (const key of [plain, full]) await expectFound(store, key);
    const again = await reopen();
    for (const key of [plain, full]) await expectFound(again, key);
  });

  check('finds no key for an unknown id or hash', async ({ store }) => {
    const key = await createdKey(store);
    expect(await store.findKey('key_none')).toBeUndefined();
    expect(await store.findKey('key_\0')).toBeUndefined();
    expect(await store.listKeys('acct_\0')).toEqual([]);
    expect(await store.findKeyByHash('0'.repeat(64))).toBeUndefined();
    expect(await store.findKeyByHash(key.hash.slice(0, -1))).toBeUndefined();
    expect(await store.findKeyByHash(key.hash.toUpperCase())).toBeUndefined();
  });

  check('keeps any text as a name', async ({ store }) => {
    const accountId = await createdAccount(store);
    for (const name of textSamples) {
      const key = sampleKey(accountId, { name, allowedModels: [name] });
      await store.createKey(key, sampleAudit());
      expect(await store.findKey(key.id)).toEqual(key);
    }
  });

  check('distinguishes no allowed models from all models', async ({ store }) => {
    const none = await createdKey(store, { allowedModels: [] });
    const all = await createdKey(store, { allowedModels: null });
    expect((await store.findKey(none.id))?.allowedModels).toEqual([]);
    expect((await store.findKey(all.id))?.allowedModels).toBeNull();
  });

  check('refuses a taken id or hash, and a key of an unknown account', async ({ store }) => {
    const key = await createdKey(store);
    const other = sampleKey(key.accountId);
    await expect(store.createKey({ ...other, id: key.id }, sampleAudit())).rejects.toThrow();
    await expect(store.createKey({ ...other, hash: key.hash }, sampleAudit())).rejects.toThrow();
    await expect(store.createKey(sampleKey('acct_none'), sampleAudit())).rejects.toThrow();
    expect(await store.listKeys(key.accountId)).toEqual([key]);
    expect(await store.findKeyByHash(key.hash)).toEqual(key);
  });
}

function checkBound(check: StoreTest): void {
  check('creations at the same time do not pass the bound of keys together', async ({ store }) => {
    const accountId = await createdAccount(store);
    const other = await createdAccount(store);
    const bound = { limit: 3, now: 1_000 };
    await store.createKey(sampleKey(accountId, { revokedAt: 1 }), sampleAudit());
    await store.createKey(sampleKey(accountId, { expiresAt: bound.now }), sampleAudit());
    await store.createKey(sampleKey(other), sampleAudit());
    const audited = (await store.listAudit({ limit: 100 })).items.length;
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => store.createKey(sampleKey(accountId), sampleAudit(), bound)),
    );
    expect(outcomes.toSorted()).toEqual([...Array(3).fill('created'), ...Array(5).fill('full')]);
    expect(await store.listKeys(accountId)).toHaveLength(5);
    expect((await store.listAudit({ limit: 100 })).items).toHaveLength(audited + 3);
    expect(await store.createKey(sampleKey(accountId, { expiresAt: 2_000 }), sampleAudit(), bound)).toBe(
      'full',
    );
    expect(await store.createKey(sampleKey(other), sampleAudit(), bound)).toBe('created');
  });
}

function checkListing(check: StoreTest): void {
  check("lists an account's own keys, newest last, revoked ones included", async ({ store }) => {
    const mine = await createdAccount(store);
    const other = await createdAccount(store);
    const keys = [sampleKey(mine), sampleKey(mine, fullKey), sampleKey(mine)];
    for (const key of keys) {
      await store.createKey(key, sampleAudit());
      await store.createKey(sampleKey(other), sampleAudit());
    }
    expect(await store.listKeys(mine)).toEqual(keys);
  });

  check('lists no keys for an account without keys, or an unknown one', async ({ store }) => {
    expect(await store.listKeys(await createdAccount(store))).toEqual([]);
    expect(await store.listKeys('acct_none')).toEqual([]);
  });
}

function checkSaving(check: StoreTest): void {
  check('saves every mutable field of a key, and increments its version', async ({ store }) => {
    const key = await createdKey(store);
    const changed = { ...key, ...fullKey };
    expect(await store.saveKey(changed, sampleAudit())).toBe('saved');
    expect(await store.findKey(key.id)).toEqual({ ...changed, version: 2 });
    const emptied = { ...key, version: 2 };
    expect(await store.saveKey(emptied, sampleAudit())).toBe('saved');
    expect(await store.findKeyByHash(key.hash)).toEqual({ ...emptied, version: 3 });
  });

  check('reports a conflict for a stale or unknown key', async ({ store }) => {
    const key = await createdKey(store);
    await store.saveKey({ ...key, name: 'first' }, sampleAudit());
    expect(await store.saveKey({ ...key, name: 'second' }, sampleAudit())).toBe('conflict');
    expect(await store.findKey(key.id)).toEqual({ ...key, name: 'first', version: 2 });
    const unknown = sampleKey(key.accountId);
    expect(await store.saveKey(unknown, sampleAudit())).toBe('conflict');
    expect(await store.findKey(unknown.id)).toBeUndefined();
  });
}

function checkRotating(check: StoreTest): void {
  check('finds a rotated key by each of its hashes, even after a restart', async ({ store, reopen }) => {
    const key = await createdKey(store);
    const hashes = [key.hash, '1'.repeat(64), '2'.repeat(64)];
    const rotated = { ...key, hash: hashes[1]!, hint: 'svc_new', previous: { hash: key.hash, endsAt: 1 } };
    expect(await store.saveKey(rotated, sampleAudit())).toBe('saved');
    const again = { ...rotated, version: 2, hash: hashes[2]!, previous: { hash: hashes[1]!, endsAt: 2 } };
    expect(await store.saveKey(again, sampleAudit())).toBe('saved');
    const reopened = await reopen();
    for (const hash of hashes) expect(await reopened.findKeyByHash(hash)).toEqual({ ...again, version: 3 });
  });

  check('a refused rotation replaces no secret', async ({ store }) => {
    const key = await createdKey(store);
    const late = { ...key, version: 7, hash: '3'.repeat(64) };
    const taken = await createdKey(store);
    expect(await store.saveKey(late, sampleAudit())).toBe('conflict');
    await expect(store.saveKey({ ...key, hash: taken.hash }, sampleAudit())).rejects.toThrow();
    expect(await store.findKeyByHash(late.hash)).toBeUndefined();
    expect(await store.findKeyByHash(taken.hash)).toEqual(taken);
    expect(await store.findKeyByHash(key.hash)).toEqual(key);
  });
}

function checkRevoking(check: StoreTest): void {
  check(
    'keeps a revoked key and the time of its revocation, even after a restart',
    async ({ store, reopen }) => {
      const key = await createdKey(store);
      const revokedAt = Date.UTC(2026, 2, 1, 0, 0, 0, 7);
      expect(await store.saveKey({ ...key, revokedAt }, sampleAudit())).toBe('saved');
      const revoked = { ...key, revokedAt, version: 2 };
      expect(await store.findKeyByHash(key.hash)).toEqual(revoked);
      const again = await reopen();
      expect(await again.findKeyByHash(key.hash)).toEqual(revoked);
      expect(await again.listKeys(key.accountId)).toEqual([revoked]);
    },
  );
}
