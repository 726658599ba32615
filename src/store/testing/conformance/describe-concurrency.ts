import { describe, expect } from 'bun:test';
import { everyPage } from './every-page.ts';
import { sampleAccount, sampleAudit, sampleKey } from './sample-records.ts';
import { type OpenStore, storeTest } from './store-test.ts';

export function describeConcurrency(open: OpenStore): void {
  describe('concurrency', () => {
    const check = storeTest(open);

    check(
      'creates 200 accounts concurrently, each with its audit entry [ADM-37]',
      async ({ store, reopen }) => {
        const accounts = Array.from({ length: 200 }, () => sampleAccount());
        await Promise.all(
          accounts.map((account) => store.createAccount(account, sampleAudit({ target: account.id }))),
        );
        const again = await reopen();
        const ids = accounts.map(({ id }) => id).sort();
        const stored = (await everyPage((page) => again.listAccounts(page), 500)).flat();
        const audited = (await everyPage((page) => again.listAudit(page), 500)).flat();
        expect(stored.map(({ id }) => id).sort()).toEqual(ids);
        expect(audited.map(({ target }) => target).sort()).toEqual(ids);
      },
    );

    check('exactly one of many saves of the same version succeeds', async ({ store }) => {
      const account = sampleAccount();
      await store.createAccount(account, sampleAudit());
      const names = Array.from({ length: 50 }, (_, index) => `writer ${index}`);
      const outcomes = await Promise.all(
        names.map((name) => store.saveAccount({ ...account, name }, sampleAudit({ action: name }))),
      );
      const winners = names.filter((_, index) => outcomes[index] === 'saved');
      expect(winners).toHaveLength(1);
      expect(await store.findAccount(account.id)).toMatchObject({ name: winners[0], version: 2 });
      const { items } = await store.listAudit({ limit: 100 });
      expect(items.map(({ action }) => action)).toEqual([winners[0] ?? '', 'account-create']);
    });

    check('exactly one of many revocations of the same key succeeds', async ({ store }) => {
      const account = sampleAccount();
      const key = sampleKey(account.id);
      await store.createAccount(account, sampleAudit());
      await store.createKey(key, sampleAudit());
      const times = Array.from({ length: 50 }, (_, index) => 1_000 + index);
      const outcomes = await Promise.all(
        times.map((revokedAt) => store.saveKey({ ...key, revokedAt }, sampleAudit())),
      );
      const winners = times.filter((_, index) => outcomes[index] === 'saved');
      expect(winners).toHaveLength(1);
      expect((await store.findKey(key.id))?.revokedAt).toBe(winners[0] ?? null);
    });

    check('a refused change does not affect concurrent ones', async ({ store }) => {
      const taken = sampleAccount();
      await store.createAccount(taken, sampleAudit());
      const accounts = Array.from({ length: 21 }, (_, index) => (index === 10 ? taken : sampleAccount()));
      const results = await Promise.allSettled(
        accounts.map((account) => store.createAccount(account, sampleAudit())),
      );
      expect(results.map(({ status }) => status === 'rejected')).toEqual(
        accounts.map((one) => one === taken),
      );
      expect((await store.listAccounts({ limit: 100 })).items).toHaveLength(21);
      expect((await store.listAudit({ limit: 100 })).items).toHaveLength(21);
    });

    check('a read that starts after an acknowledged change returns that change', async ({ store }) => {
      for (let round = 0; round < 20; round += 1) {
        const account = sampleAccount();
        await store.createAccount(account, sampleAudit());
        expect(await store.findAccount(account.id)).toEqual(account);
      }
    });
  });
}
