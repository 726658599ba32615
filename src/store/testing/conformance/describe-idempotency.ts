import { describe, expect } from 'bun:test';
import type { TakeKey } from '../../../batches/stored/idempotency-store.ts';
import { NOW, sampleBatch, staged } from './sample-batches.ts';
import { type OpenStore, storeTest, type TestedStore } from './store-test.ts';

const take = (fields: Partial<TakeKey> = {}): TakeKey => ({
  accountId: 'acct_1',
  collection: 'chat',
  key: 'k',
  token: 'one',
  bodyHash: 'hash',
  now: NOW,
  crashedAt: NOW + 1_000,
  expiresAt: NOW + 10_000,
  ...fields,
});

const ownerOf = ({ accountId, collection, key, token }: TakeKey) => ({ accountId, collection, key, token });

async function finished({ batches }: TestedStore, key: TakeKey): Promise<boolean> {
  const sequence = await staged(batches, sampleBatch());
  return batches.openBatch(sequence, { owner: ownerOf(key), answer: { body: 'answer' } });
}

export function describeIdempotency(open: OpenStore): void {
  describe('idempotency keys', () => {
    const check = storeTest(open);

    check('are taken by one creator, whose answer is kept for the same body', async ({ store }) => {
      const { batches } = store;
      expect(await batches.takeKey(take())).toEqual({ kind: 'taken' });
      expect(await batches.takeKey(take({ token: 'two' }))).toEqual({ kind: 'running' });
      expect(await finished(store, take())).toBe(true);
      expect(await batches.takeKey(take())).toEqual({ kind: 'done', answer: { body: 'answer' } });
      expect(await batches.takeKey(take({ bodyHash: 'other' }))).toEqual({ kind: 'conflict' });
      await batches.releaseKey(ownerOf(take()));
      expect(await batches.takeKey(take())).toMatchObject({ kind: 'done' });
      expect(await batches.takeKey(take({ now: NOW + 10_000 }))).toEqual({ kind: 'taken' });
    });

    check('are separate for each account and collection', async ({ store }) => {
      for (const fields of [{}, { accountId: 'acct_2' }, { collection: 'messages' }, { key: 'K' }])
        expect(await store.batches.takeKey(take(fields))).toEqual({ kind: 'taken' });
    });

    check(
      'are released when a creation fails or its creator no longer responds',
      async ({ store, reopen }) => {
        const { batches } = store;
        await batches.takeKey(take());
        await batches.releaseKey(ownerOf(take({ token: 'two' })));
        expect(await batches.takeKey(take({ token: 'two' }))).toEqual({ kind: 'running' });
        await batches.releaseKey(ownerOf(take()));
        expect(await batches.takeKey(take({ token: 'two' }))).toEqual({ kind: 'taken' });
        expect(await batches.takeKey(take({ token: 'three', now: NOW + 1_000 }))).toEqual({ kind: 'taken' });
        expect(await finished(store, take({ token: 'two' }))).toBe(false);
        const opened = await reopen();
        await opened.batches.recoverBatches();
        expect(await opened.batches.takeKey(take({ token: 'four' }))).toEqual({ kind: 'taken' });
      },
    );
  });
}
