import { describe, expect } from 'bun:test';
import { DAY_MS } from '../../../base/lib/units.ts';
import type { LedgerStore } from '../../../money/ledger/ledger-store.ts';
import { describeLedgerAmounts } from './describe-ledger-amounts.ts';
import { describeLedgerArchive } from './describe-ledger-archive.ts';
import { describeLedgerAway } from './describe-ledger-away.ts';
import { describeLedgerBounds } from './describe-ledger-bounds.ts';
import { describeLedgerDays } from './describe-ledger-days.ts';
import { describeLedgerRestarts } from './describe-ledger-restarts.ts';
import {
  balancesOf,
  faultsOf,
  heldBy,
  sampleEntry,
  sampleOrder,
  samplePeriod,
  samplePosting,
  sampleTime,
  shortageOf,
} from './sample-ledger.ts';
import { type OpenStore, type StoreTest, storeTest } from './store-test.ts';

const worst = { least: 100, most: 400 };

/** Describes the tests of the ledger. */
export function describeLedger(open: OpenStore): void {
  const test = storeTest(open);
  describe('ledger', () => {
    describeHolds(test);
    describeLedgerBounds(test);
    describeLedgerDays(test);
    describeEntries(test);
    describeOnce(test);
    describeReports(test);
    describeLedgerRestarts(test);
    describeLedgerAmounts(test);
    describeLedgerAway(test);
    describeLedgerArchive(test);
  });
}

function describeHolds(test: StoreTest): void {
  test('charges a request once, even if it is posted repeatedly', async ({ store, reopen }) => {
    const hold = await heldBy(store.ledger);
    const posting = samplePosting(hold, 300);
    await store.ledger.post(posting);
    expect(await balancesOf(store.ledger)).toMatchObject({ usedMicrocredits: 300 });
    const { ledger } = await reopen();
    await ledger.post({ ...posting, hold: await heldBy(ledger, hold.order) });
    expect(await balancesOf(ledger)).toMatchObject({ usedMicrocredits: 300 });
    const page = await ledger.listEntries({ accountId: 'acct_1', limit: 10 });
    expect(page?.items).toMatchObject([
      { kind: 'usage', microcredits: 300, receipt: posting.receipt, sequence: 1, at: sampleTime },
    ]);
    expect(await faultsOf(ledger)).toEqual([]);
  });

  test('only requests under way may exceed the monthly credits', async ({ store }) => {
    const { ledger } = store;
    const holds = [await heldBy(ledger), await heldBy(ledger)];
    for (const hold of holds) await ledger.post(samplePosting(hold, 600));
    expect(await ledger.hold(sampleOrder())).toEqual({
      shortage: 'period-used-up',
      usedMicrocredits: 1_200,
      givenMicrocredits: 1_000,
      payer: { usedMicrocredits: 1_200, grantedMicrocredits: 0, keyMicrocredits: null },
    });
    await heldBy(ledger, { period: samplePeriod({ limitMicrocredits: null }) });
    await heldBy(ledger, { period: samplePeriod({ id: 'cycle-2' }) });
  });

  test('purchased credit is held only as far as available', async ({ store }) => {
    const { ledger } = store;
    const order = { pays: 'purchased', worst } as const;
    expect(shortageOf(await ledger.hold(sampleOrder(order)))).toBe('nothing-purchased');
    await ledger.give(sampleEntry({ microcredits: 700 }));
    const first = await heldBy(ledger, order);
    const second = await heldBy(ledger, order);
    expect({ first: first.microcredits, second: second.microcredits }).toEqual({ first: 400, second: 300 });
    expect(shortageOf(await ledger.hold(sampleOrder(order)))).toBe('purchased-too-little');
    await ledger.void(second);
    await ledger.post(samplePosting(first, 10_000));
    expect(await balancesOf(ledger)).toMatchObject({ purchasedMicrocredits: 0, usedMicrocredits: 0 });
    expect(await faultsOf(ledger)).toEqual([]);
  });

  test("a key's cap counts all usage of the key in either payment mode", async ({ store, reopen }) => {
    await store.ledger.post(samplePosting(await heldBy(store.ledger), 50));
    const { ledger } = await reopen();
    const capped = { keyCapMicrocredits: 200, worst } as const;
    const hold = await heldBy(ledger, capped);
    expect(hold.microcredits).toBe(150);
    expect(shortageOf(await ledger.hold(sampleOrder(capped)))).toBe('key-cap-reached');
    await heldBy(ledger, { ...capped, keyId: 'key_2' });
    await ledger.post(samplePosting(hold, 150));
    expect(await balancesOf(ledger)).toMatchObject({ usedMicrocredits: 200 });
    expect(shortageOf(await ledger.hold(sampleOrder(capped)))).toBe('key-cap-reached');
  });
}

function describeEntries(test: StoreTest): void {
  test('grants, purchases and adjustments add to their balance once', async ({ store, reopen }) => {
    const grant = sampleEntry({ kind: 'grant', period: 'cycle-1', microcredits: 70 });
    for (let round = 0; round < 2; round++) expect(await store.ledger.give(grant)).toBe(true);
    expect(await store.ledger.give(sampleEntry())).toBe(true);
    expect(await store.ledger.give(sampleEntry({ kind: 'adjustment', microcredits: -1_001 }))).toBe(false);
    expect(await store.ledger.give(sampleEntry({ kind: 'adjustment', microcredits: -400 }))).toBe(true);
    const expected = { usedMicrocredits: 0, grantedMicrocredits: 70, purchasedMicrocredits: 600 };
    expect(await balancesOf(store.ledger)).toMatchObject(expected);
    const { ledger } = await reopen();
    expect(await balancesOf(ledger)).toMatchObject(expected);
    expect(await faultsOf(ledger)).toEqual([]);
  });

  test('records a period after the first as a renewal, once', async ({ store }) => {
    const { ledger } = store;
    for (const id of ['cycle-1', 'cycle-2', 'cycle-2', 'cycle-1']) {
      await ledger.openPeriod('acct_1', samplePeriod({ id, startedAt: Number(id.slice(-1)) }));
    }
    const page = await ledger.listEntries({ accountId: 'acct_1', limit: 10 });
    expect(page?.items.map(({ kind, period }) => [kind, period])).toEqual([['renewal', 'cycle-2']]);
    expect(await faultsOf(ledger)).toEqual([]);
  });

  test('a posting records the start of its period before itself', async ({ store: { ledger } }) => {
    for (const id of ['cycle-1', 'cycle-2', 'cycle-2']) {
      const hold = await heldBy(ledger, { period: samplePeriod({ id, startedAt: Number(id.slice(-1)) }) });
      await ledger.post(samplePosting(hold, 5));
    }
    const page = await ledger.listEntries({ accountId: 'acct_1', limit: 10 });
    expect(page?.items.map(({ kind, period }) => [kind, period])).toEqual([
      ['usage', 'cycle-2'],
      ['usage', 'cycle-2'],
      ['renewal', 'cycle-2'],
      ['usage', 'cycle-1'],
    ]);
    expect(await faultsOf(ledger)).toEqual([]);
  });

  test('holds left by a crash are voided unless there was output', async ({ store, reopen }) => {
    const holds = [await heldBy(store.ledger), await heldBy(store.ledger), await heldBy(store.ledger)];
    await store.ledger.checkpoint(
      holds.map((hold, index) => ({
        posting: samplePosting(hold, 100 * (index + 1)),
        produced: index < 2,
      })),
    );
    await store.ledger.post(samplePosting(holds[0]!, 150));
    const { ledger } = await reopen();
    expect(await ledger.recoverHolds()).toEqual({ billed: 1, voided: 1 });
    expect(await ledger.recoverHolds()).toEqual({ billed: 0, voided: 0 });
    expect(await balancesOf(ledger)).toMatchObject({ usedMicrocredits: 350 });
    const page = await ledger.listEntries({ accountId: 'acct_1', limit: 1 });
    expect(page?.items[0]?.receipt).toMatchObject({ outcome: 'recovered', isEstimated: true });
    expect(await faultsOf(ledger)).toEqual([]);
  });
}

function describeOnce(test: StoreTest): void {
  test('a posting whose attempt no longer counts does not begin a period', async ({ store: { ledger } }) => {
    const periods = [1, 2].map((startedAt) => samplePeriod({ id: `cycle-${startedAt}`, startedAt }));
    const job = { lease: { batch: 99, number: 0, attempt: 1 }, result: 'succeeded', line: null } as const;
    await ledger.post(samplePosting(await heldBy(ledger, { period: periods[0]! }), 5));
    await ledger.post({ ...samplePosting(await heldBy(ledger, { period: periods[1]! }), 5), job });
    await ledger.post(samplePosting(await heldBy(ledger, { period: periods[1]! }), 5));
    const page = await ledger.listEntries({ accountId: 'acct_1', limit: 10 });
    expect(page?.items.map(({ kind, period }) => [kind, period])).toEqual([
      ['usage', 'cycle-2'],
      ['renewal', 'cycle-2'],
      ['usage', 'cycle-1'],
    ]);
    expect(await faultsOf(ledger)).toEqual([]);
  });

  test('only the first posting or void of a hold counts', async ({ store: { ledger } }) => {
    const first = await heldBy(ledger);
    const second = await heldBy(ledger);
    const third = await heldBy(ledger);
    await Promise.all([ledger.post(samplePosting(first, 100)), ledger.post(samplePosting(first, 100))]);
    await ledger.post(samplePosting(first, 100));
    await ledger.void(first);
    await ledger.void(second);
    await ledger.void(second);
    await ledger.post(samplePosting(second, 100));
    const posting = ledger.post(samplePosting(third, 100));
    await ledger.void(third);
    await posting;
    expect(await balancesOf(ledger)).toMatchObject({ usedMicrocredits: 200 });
    expect(await faultsOf(ledger)).toEqual([]);
  });

  test('a spooled posting of an earlier process is charged once, at its actual usage and not at its last checkpoint', async ({
    store,
    reopen,
  }) => {
    await store.ledger.give(sampleEntry({ microcredits: 500 }));
    const hold = await heldBy(store.ledger, { pays: 'purchased', worst });
    await store.ledger.checkpoint([{ posting: samplePosting(hold, 100), produced: true }]);
    const { ledger } = await reopen();
    for (let times = 0; times < 2; times++) await ledger.replay([samplePosting(hold, 300)]);
    expect(await ledger.recoverHolds()).toEqual({ billed: 0, voided: 0 });
    expect(await balancesOf(ledger)).toMatchObject({ purchasedMicrocredits: 200 });
    expect((await (await reopen()).ledger.verifyAccount('acct_1')).faults).toEqual([]);
  });
}

function describeReports(test: StoreTest): void {
  test('the recent balances of an account include its latest charge', async ({
    store: { ledger },
    reopen,
  }) => {
    const recent = async (from: LedgerStore) => from.recentBalances('acct_1', samplePeriod());
    expect(await balancesOf(ledger)).toMatchObject(await recent(ledger));
    for (const charge of [300, 200]) await ledger.post(samplePosting(await heldBy(ledger), charge));
    expect(await recent(ledger)).toMatchObject({ usedMicrocredits: 500 });
    const again = await reopen();
    expect(await recent(again.ledger)).toMatchObject({ usedMicrocredits: 500 });
  });

  test('lists the entries of each account in pages, newest first', async ({ store: { ledger } }) => {
    for (const microcredits of [1, 2, 3])
      await ledger.give(sampleEntry({ id: `ent_${microcredits}`, microcredits }));
    await ledger.give(sampleEntry({ id: 'ent_other', accountId: 'acct_2' }));
    const first = await ledger.listEntries({ accountId: 'acct_1', limit: 2 });
    expect({ items: first?.items.map(({ id }) => id), hasMore: first?.hasMore }).toEqual({
      items: ['ent_3', 'ent_2'],
      hasMore: true,
    });
    const second = await ledger.listEntries({ accountId: 'acct_1', limit: 2, after: 'ent_2' });
    expect({ items: second?.items.map(({ id }) => id), hasMore: second?.hasMore }).toEqual({
      items: ['ent_1'],
      hasMore: false,
    });
    expect(await ledger.listEntries({ accountId: 'acct_1', limit: 2, after: 'ent_other' })).toBeUndefined();
    expect(await ledger.ledgerAccounts({ limit: 10 })).toEqual(['acct_1', 'acct_2']);
    expect(await ledger.ledgerAccounts({ limit: 10, after: 'acct_1' })).toEqual(['acct_2']);
  });

  test('finds an entry by its id', async ({ store: { ledger } }) => {
    await ledger.give(sampleEntry({ id: 'ent_found' }));
    expect(await ledger.findEntry('ent_found')).toMatchObject({ accountId: 'acct_1', sequence: 1 });
    expect(await ledger.findEntry('ent_lost')).toBeUndefined();
  });

  test('usage adds up by model, key and day', async ({ store: { ledger } }) => {
    for (const [keyId, days] of [
      ['key_1', 0],
      ['key_2', 0],
      ['key_1', 1],
    ] as const) {
      const hold = await heldBy(ledger, { keyId, at: sampleTime + days * DAY_MS });
      await ledger.post(samplePosting(hold, 100));
    }
    const sums = async (by: 'model' | 'key' | 'day') =>
      (await ledger.sumUsage({ accountId: 'acct_1', from: 0, to: sampleTime * 2, by })).map(
        ({ group, requests, microcredits }) => [group, requests, microcredits],
      );
    expect(await sums('model')).toEqual([['@svc/test-small', 3, 300]]);
    expect(await sums('key')).toEqual([
      ['key_1', 2, 200],
      ['key_2', 1, 100],
    ]);
    expect(await sums('day')).toEqual([
      ['2026-01-31', 2, 200],
      ['2026-02-01', 1, 100],
    ]);
  });
}
