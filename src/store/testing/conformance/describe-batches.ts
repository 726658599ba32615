import { describe, expect } from 'bun:test';
import { DAY_MS } from '../../../base/lib/units.ts';
import type { ClaimedItem } from '../../../batches/stored/batch.ts';
import {
  claimed,
  madeBatch,
  NOW,
  sampleBatch,
  sampleItems,
  sampleSubmission,
  staged,
} from './sample-batches.ts';
import { heldBy, samplePeriod, samplePosting } from './sample-ledger.ts';
import { type OpenStore, type StoreTest, storeTest } from './store-test.ts';

export function describeBatches(open: OpenStore): void {
  describe('batches', () => {
    const check = storeTest(open);
    checkCreation(check);
    checkLists(check);
    checkInspection(check);
    checkWork(check);
    checkResults(check);
    checkEnds(check);
    checkAway(check);
    checkCrashes(check);
    checkSubmissions(check);
    checkCharges(check);
  });
}

const own = { keyId: 'key_1', collection: 'chat' } as const;
const leasesOf = (items: readonly ClaimedItem[]) => items.map(({ lease }) => lease);
const wanted = ({ id }: { id: string }) => ({ ...own, id });

function checkCreation(check: StoreTest): void {
  check('shows a complete batch to its own key, even after a restart', async ({ store, reopen }) => {
    const batch = sampleBatch({ size: 2 });
    const sequence = await staged(store.batches, batch);
    await store.batches.stageItems(sequence, 0, sampleItems(2));
    expect(await store.batches.findBatch(wanted(batch))).toBeUndefined();
    expect(await store.batches.openBatch(sequence)).toBe(true);
    const counts = { processing: 2, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
    expect(await store.batches.findBatch(wanted(batch))).toEqual({ ...batch, sequence, counts } as never);
    expect(await store.batches.findBatch({ ...wanted(batch), keyId: 'key_2' })).toBeUndefined();
    expect(await store.batches.findBatch({ ...wanted(batch), collection: 'messages' })).toBeUndefined();
    expect(await (await reopen()).batches.findBatch(wanted(batch))).toMatchObject({ id: batch.id, counts });
  });

  check('removes batches that were staged and never shown', async ({ store }) => {
    const batch = sampleBatch();
    const sequence = await staged(store.batches, batch);
    await store.batches.stageItems(sequence, 0, sampleItems(3));
    await store.batches.dropStaged(sequence);
    expect(await store.batches.openBatch(sequence)).toBe(false);
    expect(await claimed(store.batches, { sequence })).toEqual([]);
  });
}

function checkLists(check: StoreTest): void {
  check('lists the batches of a key, newest first, in pages in both directions', async ({ store }) => {
    const made: { id: string }[] = [];
    for (let count = 0; count < 5; count++) made.unshift(await madeBatch(store.batches));
    await madeBatch(store.batches, { keyId: 'key_2' });
    await madeBatch(store.batches, { collection: 'messages' });
    await madeBatch(store.batches, { expiresAt: NOW });
    const ids = made.map(({ id }) => id);
    const list = async (fields: object) => {
      const page = await store.batches.listBatches({ ...own, now: NOW, limit: 2, ...fields });
      return 'fault' in page ? page : [page.items.map(({ id }) => id), page.hasMore];
    };
    expect(await list({})).toEqual([ids.slice(0, 2), true]);
    expect(await list({ after: ids[1] })).toEqual([ids.slice(2, 4), true]);
    expect(await list({ after: ids[3] })).toEqual([ids.slice(4), false]);
    expect(await list({ before: ids[3] })).toEqual([ids.slice(1, 3), true]);
    expect(await list({ before: ids[1] })).toEqual([ids.slice(0, 1), false]);
    expect(await list({ after: ids[0], before: ids[3] })).toEqual([ids.slice(1, 3), false]);
    expect(await list({ after: 'batch_no' })).toEqual({ fault: 'after' });
  });
}

function checkInspection(check: StoreTest): void {
  check('lists the batches of all keys for operators, newest first, also ended ones', async ({ store }) => {
    const { batches } = store;
    const ended = await madeBatch(batches);
    const other = await madeBatch(batches, { keyId: 'key_2', collection: 'messages' });
    const last = await madeBatch(batches);
    await madeBatch(batches, { expiresAt: NOW });
    await staged(batches, sampleBatch());
    await batches.expireItems(ended.sequence);
    expect(await batches.endBatch(ended.sequence, NOW)).toBe(true);
    const list = async (fields: object) => {
      const page = await batches.inspectBatches({ now: NOW, limit: 10, ...fields });
      return page && [page.items.map(({ id }) => id), page.hasMore];
    };
    expect(await list({})).toEqual([[last.id, other.id, ended.id], false]);
    expect(await list({ limit: 2 })).toEqual([[last.id, other.id], true]);
    expect(await list({ after: other.id })).toEqual([[ended.id], false]);
    expect(await list({ isEnded: true })).toEqual([[ended.id], false]);
    expect(await list({ isEnded: false })).toEqual([[last.id, other.id], false]);
    expect(await list({ after: 'batch_no' })).toBeUndefined();
  });

  check('lists the batches of all keys of one account', async ({ store }) => {
    const { batches } = store;
    const first = await madeBatch(batches);
    const foreign = await madeBatch(batches, { accountId: 'acct_2' });
    const last = await madeBatch(batches, { keyId: 'key_2', collection: 'messages' });
    const list = async (fields: object) => {
      const page = await batches.inspectBatches({ now: NOW, limit: 10, accountId: 'acct_1', ...fields });
      return page && [page.items.map(({ id }) => id), page.hasMore];
    };
    expect(await list({})).toEqual([[last.id, first.id], false]);
    expect(await list({ limit: 1 })).toEqual([[last.id], true]);
    expect(await list({ after: last.id, isEnded: false })).toEqual([[first.id], false]);
    expect(await list({ accountId: 'acct_2' })).toEqual([[foreign.id], false]);
    expect(await list({ after: foreign.id })).toBeUndefined();
  });
}

function checkWork(check: StoreTest): void {
  check(
    'leases an item to one runner at a time, and accepts a result only from that runner',
    async ({ store }) => {
      const { batches } = store;
      const batch = await madeBatch(batches);
      const [first, second] = await claimed(batches, batch, { limit: 2 });
      expect(first).toMatchObject({ customId: 'item-0', params: '{"model": "m0"}', lease: { attempt: 1 } });
      expect((await claimed(batches, batch)).map(({ customId }) => customId)).toEqual(['item-2']);
      expect(await claimed(batches, batch)).toEqual([]);
      const stale = { ...first!.lease, attempt: 0 };
      expect(await batches.finishItem({ lease: stale, result: 'succeeded', line: 'no' })).toBe(false);
      expect(await batches.finishItem({ lease: first!.lease, result: 'succeeded', line: 'yes' })).toBe(true);
      expect(await batches.finishItem({ lease: first!.lease, result: 'errored', line: 'no' })).toBe(false);
      await batches.putBack({ lease: second!.lease, dueAt: NOW + 500, failed: true });
      expect(await claimed(batches, batch)).toEqual([]);
      const [again] = await claimed(batches, batch, { now: NOW + 500 });
      expect(again).toMatchObject({ customId: 'item-1', failures: 1, deaths: 0, lease: { attempt: 2 } });
      expect(await batches.finishItem({ lease: second!.lease, result: 'succeeded', line: 'no' })).toBe(false);
      const lines = await batches.readResults(batch.id, { after: -1, limit: 1, bytes: 1 });
      const { requestId } = first!;
      expect(lines).toEqual([{ number: 0, customId: 'item-0', requestId, result: 'succeeded', line: 'yes' }]);
    },
  );

  check('leases an item again when its lease ends without a renewal', async ({ store }) => {
    const { batches } = store;
    const batch = await madeBatch(batches, { size: 2 });
    const items = await claimed(batches, batch);
    const later = NOW + 70_000;
    const [round] = await batches.claimItems({
      asks: [{ sequence: batch.sequence, limit: 9, leaseUntil: later + 60_000 }],
      now: later,
      leaseUntil: later + 60_000,
      renewed: [items[0]!.lease],
    });
    expect(round!.items).toMatchObject([{ customId: 'item-1', deaths: 1, lease: { attempt: 2 } }]);
    expect(round!.nextDueAt).toBe(later + 60_000);
    expect(await batches.finishItem({ lease: items[1]!.lease, result: 'errored', line: 'x' })).toBe(false);
    expect(await batches.finishItem({ lease: items[0]!.lease, result: 'errored', line: 'x' })).toBe(true);
  });
}

function checkResults(check: StoreTest): void {
  check('returns as many results as fit, and at least one', async ({ store }) => {
    const { batches } = store;
    const batch = await madeBatch(batches, { size: 4 });
    const [first, second, third] = await claimed(batches, batch);
    for (const { lease } of [first!, second!, third!])
      await batches.finishItem({ lease, result: 'succeeded', line: 'x'.repeat(100) });
    const numbers = async (after: number, bytes: number, limit = 9) =>
      (await batches.readResults(batch.id, { after, limit, bytes })).map(({ number }) => number);
    expect(await numbers(-1, 1)).toEqual([0]);
    expect(await numbers(-1, 200)).toEqual([0, 1]);
    expect(await numbers(0, 200)).toEqual([1, 2, 3]);
    expect(await numbers(-1, 1_000, 3)).toEqual([0, 1, 2]);
    expect(await numbers(3, 1_000)).toEqual([]);
  });
}

function checkEnds(check: StoreTest): void {
  check('ends a batch once every item has a result, and keeps its counts', async ({ store }) => {
    const { batches } = store;
    const batch = await madeBatch(batches);
    const items = await claimed(batches, batch);
    expect(await batches.endBatch(batch.sequence, NOW)).toBe(false);
    for (const { lease } of items) await batches.finishItem({ lease, result: 'succeeded', line: '{}' });
    expect(await batches.endBatch(batch.sequence, NOW + 5)).toBe(true);
    expect(await batches.endBatch(batch.sequence, NOW + 6)).toBe(false);
    const ended = await batches.findBatch(wanted(batch));
    expect(ended).toMatchObject({ endedAt: NOW + 5, counts: { processing: 0, succeeded: 3 } });
    expect(await batches.cancelBatch(wanted(batch), NOW + 7)).toEqual(ended!);
  });

  check('cancels and expires items without a lease', async ({ store }) => {
    const { batches } = store;
    const batch = await madeBatch(batches);
    const [item] = await claimed(batches, batch, { limit: 1 });
    const canceled = await batches.cancelBatch(wanted(batch), NOW + 1);
    expect(canceled).toMatchObject({ cancelInitiatedAt: NOW + 1, counts: { processing: 1, canceled: 2 } });
    expect(await batches.cancelBatch(wanted(batch), NOW + 2)).toEqual(canceled!);
    await batches.putBack({ lease: item!.lease, dueAt: NOW, failed: false });
    await batches.expireItems(batch.sequence);
    expect(await batches.findBatch(wanted(batch))).toMatchObject({ counts: { canceled: 2, expired: 1 } });
  });

  check('deletes an ended batch completely, and no running one', async ({ store }) => {
    const { batches } = store;
    const batch = await madeBatch(batches);
    await batches.deleteBatch(wanted(batch));
    expect(await batches.findBatch(wanted(batch))).toBeDefined();
    await batches.expireItems(batch.sequence);
    await batches.endBatch(batch.sequence, NOW);
    await batches.deleteBatch(wanted(batch));
    expect(await batches.findBatch(wanted(batch))).toBeUndefined();
    expect(await batches.readResults(batch.id, { after: -1, limit: 9, bytes: 1_000 })).toEqual([]);
  });

  check('sweeps expired batches in steps, and keeps their rows for a while', async ({ store }) => {
    const { batches } = store;
    const batch = await madeBatch(batches, { size: 10 });
    const other = await madeBatch(batches, { expiresAt: NOW + 2 * DAY_MS });
    const now = NOW + DAY_MS;
    const sweep = (forgetBefore = NOW) => batches.sweepBatches({ now, forgetBefore, limit: 8 });
    expect([await sweep(), await sweep(), await sweep(), await sweep()]).toEqual([8, 8, 4, 0]);
    expect(await batches.findBatch(wanted(batch))).toBeDefined();
    expect(await batches.readResults(batch.id, { after: -1, limit: 9, bytes: 1_000 })).toEqual([]);
    expect(await sweep(now)).toBe(1);
    expect(await batches.findBatch(wanted(batch))).toBeUndefined();
    expect(await claimed(batches, other)).toHaveLength(3);
  });
}

function checkCrashes(check: StoreTest): void {
  check('a crash leaves no incomplete batch, and items at work are due again', async ({ store, reopen }) => {
    const batch = await madeBatch(store.batches);
    const [before] = await claimed(store.batches, batch, { limit: 1 });
    const sequence = await staged(store.batches, sampleBatch());
    await store.batches.stageItems(sequence, 0, sampleItems(3));
    const { batches } = await reopen();
    await batches.recoverBatches();
    expect(await claimed(batches, { sequence })).toEqual([]);
    const items = await claimed(batches, batch);
    expect(items.map(({ customId, deaths }) => [customId, deaths])).toEqual([
      ['item-1', 0],
      ['item-2', 0],
      ['item-0', 1],
    ]);
    expect(await batches.finishItem({ lease: before!.lease, result: 'succeeded', line: 'x' })).toBe(false);
  });
}

function checkCharges(check: StoreTest): void {
  check(
    'writes and sums a result and its charge together, and neither for an attempt that no longer counts',
    async ({ store }) => {
      const { batches, ledger } = store;
      const batch = await madeBatch(batches);
      const [first] = await claimed(batches, batch, { limit: 1, leaseMs: 1 });
      const [again] = await claimed(batches, batch, { limit: 3, now: NOW + 1 }).then((all) => all.slice(-1));
      const post = async ({ lease }: ClaimedItem, line: string) => {
        const hold = await heldBy(ledger, { requestId: again!.requestId });
        await ledger.post({ ...samplePosting(hold, 100), job: { lease, result: 'succeeded', line } });
      };
      await post(first!, 'lost');
      const spent = async () => (await ledger.balances('acct_1', samplePeriod())).usedMicrocredits;
      expect(again!.customId).toBe('item-0');
      expect(await spent()).toBe(0);
      await post(again!, 'kept');
      await post(again!, 'twice');
      const lines = await batches.readResults(batch.id, { after: -1, limit: 1, bytes: 1 });
      expect(lines[0]!.line).toBe('kept');
      expect(await spent()).toBe(100);
      const entries = await ledger.listEntries({ accountId: 'acct_1', limit: 9 });
      expect(entries?.items).toHaveLength(1);
      const other = await madeBatch(batches);
      const charged = [await batches.sumCharged(batch.id), await batches.sumCharged(other.id)];
      expect([...charged, await batches.sumCharged('batch_no')]).toEqual([100, 0, 0]);
      expect((await ledger.verifyAccount('acct_1')).faults).toEqual([]);
    },
  );
}

function checkSubmissions(check: StoreTest): void {
  check('lists the items at a provider until they are returned', async ({ store, reopen }) => {
    const batch = await madeBatch(store.batches, { isNative: true });
    const items = await claimed(store.batches, batch);
    const submission = sampleSubmission(batch.sequence, { mark: 'mark', sentAt: NOW, size: 2 });
    const id = (await store.batches.createSubmission(submission, leasesOf(items.slice(0, 2))))!;
    expect(await store.batches.findSubmission(id)).toEqual(submission);
    await store.batches.openSubmission(id, 'up_1');
    await store.batches.createSubmission(sampleSubmission(batch.sequence, { provider: 'two' }), []);
    expect(await store.batches.listUpstreamIds('one')).toEqual(['up_1']);
    expect(await store.batches.listUpstreamIds('two')).toEqual([]);
    await store.batches.putBack({ lease: items[1]!.lease, dueAt: NOW, failed: true });
    const { batches } = await reopen();
    await batches.recoverBatches();
    expect(await batches.findSubmission(id)).toEqual({ ...submission, upstreamId: 'up_1' });
    const again = await claimed(batches, batch);
    const seen = again.map(({ customId, submission: at, deaths }) => [customId, at, deaths]);
    expect(seen.sort()).toEqual([
      ['item-0', id, 0],
      ['item-1', null, 0],
      ['item-2', null, 1],
    ]);
    expect(await batches.readParams(batch.sequence, 0)).toBe(items[0]!.params);
    await batches.putBack({
      lease: again.find(({ customId }) => customId === 'item-0')!.lease,
      dueAt: NOW,
      failed: false,
    });
    await batches.closeSubmission(id);
    expect(await batches.findSubmission(id)).toBeUndefined();
    const [left] = await claimed(batches, batch);
    expect(left).toMatchObject({ customId: 'item-0', submission: null });
  });
}

function checkAway(check: StoreTest): void {
  check('keeps items at a provider in progress when their batch is canceled', async ({ store }) => {
    const { batches } = store;
    const batch = await madeBatch(batches, { isNative: true });
    const items = await claimed(batches, batch);
    const [first] = items;
    const known = sampleSubmission(batch.sequence, { upstreamId: 'x' });
    const id = (await batches.createSubmission(known, leasesOf(items.slice(0, 2))))!;
    for (const number of [0, 1, 2])
      await batches.putBack({ lease: { ...first!.lease, number }, dueAt: NOW, failed: false });
    const canceled = await batches.cancelBatch(wanted(batch), NOW + 1);
    expect(canceled).toMatchObject({ counts: { processing: 2, canceled: 1 } });
    expect(await batches.listItemsAway(id)).toEqual([0, 1]);
    const again = await claimed(batches, batch);
    expect(again.map(({ submission }) => submission)).toEqual([id, id]);
    await batches.finishItem({ lease: again[0]!.lease, result: 'succeeded', line: '{}' });
    expect(await batches.listItemsAway(id)).toEqual([1]);
    await batches.closeSubmission(id);
    expect(await batches.listItemsAway(id)).toEqual([]);
  });
}
