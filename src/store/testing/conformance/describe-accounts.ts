import { describe, expect } from 'bun:test';
import type { Account } from '../../../money/accounts/account.ts';
import { everyPage } from './every-page.ts';
import { sampleAccount, sampleAudit } from './sample-records.ts';
import { type OpenStore, type StoreTest, storeTest } from './store-test.ts';
import { textSamples } from './text-samples.ts';

const fullAccount: Partial<Account> = {
  emailVerified: true,
  plan: 'enterprise',
  pendingPlan: 'pro',
  status: 'suspended',
  priceUsdPerMonth: 1234.56,
  planOverrides: { credits: null, requestsPerMinute: 7, tokensPerMinute: 40_000_000 },
  cycleDay: 1,
  version: 9,
};

export function describeAccounts(open: OpenStore): void {
  describe('accounts', () => {
    const check = storeTest(open);
    checkReading(check);
    checkSaving(check);
    checkPaging(check);
  });
}

function checkReading(check: StoreTest): void {
  check('returns an account as created, even after a restart', async ({ store, reopen }) => {
    const plain = sampleAccount({ email: null });
    const full = sampleAccount(fullAccount);
    await store.createAccount(plain, sampleAudit());
    await store.createAccount(full, sampleAudit());
    expect(await store.findAccount(plain.id)).toEqual(plain);
    expect(await store.findAccount(full.id)).toEqual(full);
    const again = await reopen();
    expect(await again.findAccount(plain.id)).toEqual(plain);
    expect(await again.findAccount(full.id)).toEqual(full);
  });

  check('keeps any text as a name', async ({ store }) => {
    for (const name of textSamples) {
      const account = sampleAccount({ name });
      await store.createAccount(account, sampleAudit());
      expect((await store.findAccount(account.id))?.name).toBe(name);
    }
  });

  check('finds no account for an unknown id', async ({ store }) => {
    await store.createAccount(sampleAccount(), sampleAudit());
    expect(await store.findAccount('acct_none')).toBeUndefined();
    expect(await store.findAccount('')).toBeUndefined();
    expect(await store.findAccount('acct_\0')).toBeUndefined();
    expect((await store.listAccounts({ limit: 1, after: '\0' })).items).toEqual([]);
  });

  check('accepts the same e-mail address twice', async ({ store }) => {
    const pair = [sampleAccount(), sampleAccount()] as const;
    for (const account of pair) await store.createAccount(account, sampleAudit());
    expect(await store.findAccount(pair[0].id)).toEqual(pair[0]);
    expect(await store.findAccount(pair[1].id)).toEqual(pair[1]);
  });

  check('refuses a taken id, and keeps the first account', async ({ store }) => {
    const account = sampleAccount();
    await store.createAccount(account, sampleAudit());
    await expect(store.createAccount({ ...account, name: 'Eve' }, sampleAudit())).rejects.toThrow();
    expect(await store.findAccount(account.id)).toEqual(account);
  });
}

function checkSaving(check: StoreTest): void {
  check('saves every mutable field, and increments the version', async ({ store, reopen }) => {
    const account = sampleAccount();
    await store.createAccount(account, sampleAudit());
    const changed = { ...account, ...fullAccount, name: 'Grace', email: null, cycleStartedAt: 1, version: 1 };
    expect(await store.saveAccount(changed, sampleAudit())).toBe('saved');
    expect(await store.findAccount(account.id)).toEqual({ ...changed, version: 2 });
    expect(await (await reopen()).findAccount(account.id)).toEqual({ ...changed, version: 2 });
  });

  check('saves null in every nullable field', async ({ store }) => {
    const account = sampleAccount({ ...fullAccount, version: 1 });
    await store.createAccount(account, sampleAudit());
    const emptied = { ...account, pendingPlan: null, priceUsdPerMonth: null, planOverrides: null };
    expect(await store.saveAccount(emptied, sampleAudit())).toBe('saved');
    expect(await store.findAccount(account.id)).toEqual({ ...emptied, version: 2 });
  });

  check('reports a conflict for a stale version, and keeps the stored account', async ({ store }) => {
    const account = sampleAccount();
    await store.createAccount(account, sampleAudit());
    await store.saveAccount({ ...account, name: 'first' }, sampleAudit());
    expect(await store.saveAccount({ ...account, name: 'second' }, sampleAudit())).toBe('conflict');
    expect(await store.saveAccount({ ...account, name: 'ahead', version: 7 }, sampleAudit())).toBe(
      'conflict',
    );
    expect(await store.findAccount(account.id)).toEqual({ ...account, name: 'first', version: 2 });
  });

  check('reports a conflict for an unknown account, and creates none', async ({ store }) => {
    const account = sampleAccount();
    expect(await store.saveAccount(account, sampleAudit())).toBe('conflict');
    expect(await store.findAccount(account.id)).toBeUndefined();
  });

  check('changes only the given account', async ({ store }) => {
    const one = sampleAccount();
    const other = sampleAccount();
    await store.createAccount(one, sampleAudit());
    await store.createAccount(other, sampleAudit());
    await store.saveAccount({ ...one, name: 'changed' }, sampleAudit());
    expect(await store.findAccount(other.id)).toEqual(other);
  });
}

const WAVE = 250;
const inWaves = (accounts: readonly Account[]): Account[][] =>
  Array.from({ length: accounts.length / WAVE }, (_, wave) => accounts.slice(wave * WAVE, (wave + 1) * WAVE));
const byId = (accounts: Account[]): Account[] => accounts.sort((one, other) => (one.id < other.id ? -1 : 1));

function checkPaging(check: StoreTest): void {
  check('lists nothing in an empty store', async ({ store }) => {
    expect(await store.listAccounts({ limit: 10 })).toEqual({ items: [], hasMore: false });
  });

  check('lists 2,000 accounts in pages, in order of creation', async ({ store }) => {
    const accounts = Array.from({ length: 2_000 }, (_, index) => sampleAccount({ name: `account ${index}` }));
    // Accounts that are created at the same time have no order among each other.
    for (const wave of inWaves(accounts))
      await Promise.all(wave.map((account) => store.createAccount(account, sampleAudit())));
    const pages = await everyPage((page) => store.listAccounts(page), 300);
    expect(pages.map((page) => page.length)).toEqual([300, 300, 300, 300, 300, 300, 200]);
    expect(inWaves(pages.flat()).map(byId)).toEqual(inWaves(accounts).map(byId));
  });

  check('finds accounts by a part of the name or email, or by the start of the id', async ({ store }) => {
    const accounts = [
      sampleAccount({ id: 'acct_One', name: 'Ada Lovelace', email: null }),
      sampleAccount({ id: 'acct_two', name: '100% (a_b)', email: 'Ada@Example.com' }),
      sampleAccount({ id: 'acct_adam', name: 'Grace', email: null }),
      sampleAccount({ id: 'acct_four', name: 'Cada Óla', email: 'four@example.com' }),
    ];
    for (const account of accounts) await store.createAccount(account, sampleAudit());
    const found = async (search: string) =>
      (await everyPage((page) => store.listAccounts({ ...page, search }), 1)).flat().map(({ id }) => id);
    expect(await found('ADA')).toEqual(['acct_One', 'acct_two', 'acct_four']);
    expect(await found('example.COM')).toEqual(['acct_two', 'acct_four']);
    expect(await found('acct_o')).toEqual(['acct_One']);
    expect(await found('ACCT_')).toEqual(accounts.map(({ id }) => id));
    expect(await found('Óla')).toEqual(['acct_four']);
    for (const literal of ['0%', 'a_b', '(']) expect(await found(literal)).toEqual(['acct_two']);
    for (const absent of ['%da', 'c_t', "'", '\\', 'two ', '\0'])
      expect({ absent, result: await found(absent) }).toEqual({ absent, result: [] });
  });

  check('reports no next page when a page ends with the last account', async ({ store }) => {
    const accounts = [sampleAccount(), sampleAccount(), sampleAccount(), sampleAccount()];
    for (const account of accounts) await store.createAccount(account, sampleAudit());
    expect((await everyPage((page) => store.listAccounts(page), 2)).map((page) => page.length)).toEqual([
      2, 2,
    ]);
    expect(await store.listAccounts({ limit: 4 })).toEqual({ items: accounts, hasMore: false });
    expect(await store.listAccounts({ limit: 2, after: accounts[3]?.id })).toEqual({
      items: [],
      hasMore: false,
    });
  });

  check('keeps the order of the list when an account changes', async ({ store }) => {
    const accounts = [sampleAccount(), sampleAccount()] as const;
    for (const account of accounts) await store.createAccount(account, sampleAudit());
    await store.saveAccount(accounts[0], sampleAudit());
    const { items } = await store.listAccounts({ limit: 10 });
    expect(items.map(({ id }) => id)).toEqual(accounts.map(({ id }) => id));
  });

  check('returns no page after an unknown account', async ({ store }) => {
    await store.createAccount(sampleAccount(), sampleAudit());
    const page = await store.listAccounts({ limit: 10, after: 'acct_none' });
    expect(page).toEqual({ items: [], hasMore: false });
  });
}
