import { describe, expect } from 'bun:test';
import { sampleAccount, sampleAudit, sampleKey } from './sample-records.ts';
import { type OpenStore, storeTest, type TestedStore } from './store-test.ts';

const entry = sampleAudit();

/** Creates an account and some keys, and returns their ids. */
async function withKeys(store: TestedStore, count: number): Promise<{ accountId: string; keyIds: string[] }> {
  const account = sampleAccount();
  await store.createAccount(account, entry);
  const keys = Array.from({ length: count }, () => sampleKey(account.id));
  for (const key of keys) await store.createKey(key, entry);
  return { accountId: account.id, keyIds: keys.map(({ id }) => id) };
}

export function describeKeyUses(open: OpenStore): void {
  describe('last uses of keys', () => {
    const check = storeTest(open);

    check('keeps the latest use of each key, even after a restart', async ({ store, reopen }) => {
      const { accountId, keyIds } = await withKeys(store, 3);
      const [one, two] = keyIds as [string, string, string];
      expect(await store.keyUses(accountId)).toEqual(new Map());
      await store.saveKeyUses([
        { keyId: one, at: 5_000 },
        { keyId: two, at: 7_000 },
      ]);
      await store.saveKeyUses([
        { keyId: two, at: 6_000 }, // of a node that was late
        { keyId: one, at: 8_000 },
      ]);
      await store.saveKeyUses([]);
      const reopened = await reopen();
      expect(await reopened.keyUses(accountId)).toEqual(
        new Map([
          [one, 8_000],
          [two, 7_000],
        ]),
      );
    });

    check('names no keys of other accounts, and keeps times of unknown keys apart', async ({ store }) => {
      const own = await withKeys(store, 1);
      const other = await withKeys(store, 1);
      await store.saveKeyUses([
        { keyId: other.keyIds[0]!, at: 1_000 },
        { keyId: 'key_unknown', at: 2_000 },
      ]);
      expect(await store.keyUses(own.accountId)).toEqual(new Map());
      expect(await store.keyUses(other.accountId)).toEqual(new Map([[other.keyIds[0]!, 1_000]]));
      expect(await store.keyUses('acct_none')).toEqual(new Map());
    });
  });
}
