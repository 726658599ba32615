import { describe, expect } from 'bun:test';
import { sampleAccount, sampleAudit } from './sample-records.ts';
import { type OpenStore, storeTest } from './store-test.ts';

export function describeHealth(open: OpenStore): void {
  describe('health', () => {
    const check = storeTest(open);

    check('reports no problem when it can be read and written', async ({ store }) => {
      expect(await store.problem()).toBeUndefined();
      expect(await Promise.all([store.problem(), store.problem()])).toEqual([undefined, undefined]);
    });

    check('a health check leaves no trace in the data', async ({ store }) => {
      await store.problem();
      expect((await store.listAudit({ limit: 10 })).items).toEqual([]);
      expect((await store.listAccounts({ limit: 10 })).items).toEqual([]);
    });

    check('finishes pending changes before it closes, and refuses later ones', async ({ store, reopen }) => {
      const account = sampleAccount();
      const created = store.createAccount(account, sampleAudit());
      await store.close();
      await created;
      await store.close();
      await expect(store.createAccount(sampleAccount(), sampleAudit())).rejects.toThrow();
      expect(await store.problem()).toBeString();
      expect((await (await reopen()).listAccounts({ limit: 10 })).items).toEqual([account]);
    });
  });
}
