import { describe, expect } from 'bun:test';
import { newId } from '../../../base/lib/ids.ts';
import { seededRandom } from '../../../base/lib/testing/seeded-random.ts';
import { DAY_MS } from '../../../base/lib/units.ts';
import type { Batch } from '../../../batches/stored/batch.ts';
import type { StoredResponse } from '../../../money/ledger/stored-response.ts';
import { claimed, NOW, sampleBatch, sampleItems, staged } from './sample-batches.ts';
import { type OpenStore, type StoreTest, storeTest, type TestedStore } from './store-test.ts';

const ACCOUNT = 'acct_1';
/** Far larger than the overhead of a row, so that counted texts are visible in the sums. */
const LONG = 'x'.repeat(10_000);

type Saved = { id: string; expiresAt: number };

const response = ({ id, expiresAt }: Saved, previousId: string | null, length: number): StoredResponse => {
  const list = `[{"role":"user","content":"${'x'.repeat(length)}"}]`;
  return {
    id,
    expiresAt,
    previousId,
    keyId: 'key_1',
    createdAt: NOW,
    itemIds: [],
    envelope: `"${'e'.repeat(length)}"`,
    turn: { model: 'm', input: list, output: list },
    counts: { input: 1, output: 1 },
    wholeInput: list,
  };
};

async function save(store: TestedStore, fields: Partial<Saved & { after: string; length: number }> = {}) {
  const { after = null, length = LONG.length, expiresAt = NOW + DAY_MS, id = newId('resp_') } = fields;
  await store.saveResponse(ACCOUNT, response({ id, expiresAt }, after, length));
  return { id, keyId: 'key_1', now: NOW };
}

/** Checks that all counted data, and nothing else, has a time of expiry. */
async function expectWhole(store: TestedStore): Promise<void> {
  const bytes = await store.storedBytes(ACCOUNT);
  expect(bytes).toBeGreaterThanOrEqual(0);
  if (bytes > 0) expect(await store.expiryOf(ACCOUNT, bytes)).toBeNumber();
  expect(await store.expiryOf(ACCOUNT, bytes + 1)).toBeUndefined();
}

export function describeStoredBytes(open: OpenStore): void {
  describeResponseBytes(open);
  describe('stored bytes of batches', () => checkBatches(storeTest(open)));
}

function describeResponseBytes(open: OpenStore): void {
  describe('stored bytes', () => {
    const check = storeTest(open);

    check('include responses until they are removed, even after a restart', async ({ store, reopen }) => {
      expect(await store.storedBytes(ACCOUNT)).toBe(0);
      const first = await save(store);
      const one = await store.storedBytes(ACCOUNT);
      expect(one).toBeWithin(30_000, 33_000);
      await save(store, { after: first.id });
      const opened = await reopen();
      expect(await opened.storedBytes(ACCOUNT)).toBe(2 * one);
      expect(await opened.storedBytes('acct_2')).toBe(0);
      await opened.deleteResponse(first); // the response that continues it keeps its turn
      expect(await opened.storedBytes(ACCOUNT)).toBeWithin(2 * one - 12_000, 2 * one - 9_000);
      await expectWhole(opened);
      while ((await opened.sweepResponses({ now: NOW + 2 * DAY_MS, limit: 1 })) > 0);
      expect(await opened.storedBytes(ACCOUNT)).toBe(0);
    });

    check('have a time by which a given number of them expires', async ({ store }) => {
      for (const days of [3, 1, 2]) await save(store, { expiresAt: NOW + days * DAY_MS });
      const one = (await store.storedBytes(ACCOUNT)) / 3;
      const days = async (bytes: number) => {
        const at = await store.expiryOf(ACCOUNT, bytes);
        return at === undefined ? undefined : (at - NOW) / DAY_MS;
      };
      expect([await days(1), await days(one), await days(one + 1)]).toEqual([1, 1, 2]);
      expect([await days(2 * one + 1), await days(3 * one), await days(3 * one + 1)]).toEqual([
        3,
        3,
        undefined,
      ]);
    });

    check('add up after any sequence of stores, continuations and removals', async ({ store }) => {
      const random = seededRandom(20_261_121);
      const kept: { id: string; keyId: string; now: number }[] = [];
      for (let step = 0; step < 120; step++) {
        const after = kept[Math.floor(random() * kept.length)]?.id;
        const expiresAt = NOW + 1 + Math.floor(random() * 100);
        const length = Math.floor(random() * 100_000);
        const action = random();
        if (action < 0.6) kept.push(await save(store, { expiresAt, length, ...(after && { after }) }));
        else if (action < 0.8 && kept.length > 0) await store.deleteResponse(kept.pop()!);
        else await store.sweepResponses({ now: NOW + Math.floor(random() * 50), limit: 3 });
        await expectWhole(store);
      }
      while ((await store.sweepResponses({ now: NOW + DAY_MS, limit: 100 })) > 0);
      expect(await store.storedBytes(ACCOUNT)).toBe(0);
    });
  });
}

const ROOM = { bytes: 50_000, quota: null };

/** Creates a batch of three items with long requests. */
async function longBatch({ batches }: TestedStore, size = 3) {
  const batch = sampleBatch({ size });
  const sequence = (await batches.stageBatch(batch, ROOM))!;
  await batches.stageItems(
    sequence,
    0,
    sampleItems(size).map((item) => ({ ...item, params: LONG })),
  );
  await batches.openBatch(sequence);
  return { ...batch, sequence };
}

function checkBatches(check: StoreTest): void {
  check(
    'include the requests of a batch until they are answered, and then its results',
    async ({ store }) => {
      const { batches } = store;
      const batch = await longBatch(store);
      const bytes = () => store.storedBytes(ACCOUNT);
      expect(await bytes()).toBe(ROOM.bytes);
      const [first, second] = await claimed(batches, batch, { limit: 2 });
      await batches.finishItem({ lease: first!.lease, result: 'succeeded', line: LONG.slice(1_000) });
      expect(await bytes()).toBe(ROOM.bytes - 1_000);
      await batches.finishItem({ lease: second!.lease, result: 'errored', line: null });
      expect(await bytes()).toBe(ROOM.bytes - 1_000 - LONG.length);
      await batches.finishItem({ lease: second!.lease, result: 'errored', line: LONG });
      await batches.cancelBatch(batch, NOW);
      expect(await bytes()).toBe(ROOM.bytes - 1_000 - 2 * LONG.length);
      for (const number of [0, 1, 2])
        expect(await batches.readParams(batch.sequence, number)).toBeUndefined();
      await expectWhole(store);
      await batches.endBatch(batch.sequence, NOW);
      await batches.deleteBatch(batch);
      expect(await bytes()).toBe(0);
    },
  );

  check(
    'no longer include a batch that is deleted, expires or was not completely created',
    async ({ store, reopen }) => {
      const dropped = await staged(store.batches, sampleBatch());
      await store.batches.dropStaged(dropped);
      expect(await store.storedBytes(ACCOUNT)).toBe(0);
      await longBatch(store, 5);
      await staged(store.batches, sampleBatch());
      const opened = await reopen();
      await opened.batches.recoverBatches();
      expect(await opened.storedBytes(ACCOUNT)).toBe(ROOM.bytes);
      const sweep = { now: NOW + DAY_MS, forgetBefore: NOW, limit: 4 };
      while ((await opened.batches.sweepBatches(sweep)) > 0);
      expect(await opened.storedBytes(ACCOUNT)).toBe(0);
      await expectWhole(opened);
    },
  );

  check('never exceed the quota through concurrent batches', async ({ store }) => {
    const stage = (fields: Partial<Batch> = {}) =>
      store.batches.stageBatch(sampleBatch(fields), { bytes: 400, quota: 1_000 });
    const sequences = await Promise.all([stage(), stage(), stage()]);
    expect(sequences.filter((sequence) => sequence === undefined)).toHaveLength(1);
    expect(await stage({ accountId: 'acct_2' })).toBeNumber();
    // Expired data does not count, whether or not it is swept.
    expect(await stage({ createdAt: NOW + DAY_MS - 1 })).toBeUndefined();
    expect(await stage({ createdAt: NOW + DAY_MS })).toBeNumber();
  });
}
