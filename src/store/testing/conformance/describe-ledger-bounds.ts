import { expect } from 'bun:test';
import type { LedgerStore } from '../../../money/ledger/ledger-store.ts';
import {
  balancesOf,
  faultsOf,
  heldBy,
  sampleEntry,
  sampleOrder,
  samplePosting,
  sampleTime,
  shortageOf,
} from './sample-ledger.ts';
import type { StoreTest } from './store-test.ts';

const worst = { least: 100, most: 400 };
const keySpent = async (ledger: LedgerStore) => ledger.keySpent('acct_1', { keyId: 'key_1', at: sampleTime });
const newest = async (ledger: LedgerStore) =>
  (await ledger.listEntries({ accountId: 'acct_1', limit: 1 }))?.items[0];

const capped = { keyCapMicrocredits: 500, worst } as const;

/** Describes tests of charges that a balance or a cap limits below the cost. */
export function describeLedgerBounds(test: StoreTest): void {
  describeCaps(test);
  describeSharedCaps(test);
  describeShortfalls(test);
  describeDebts(test);
  describeStops(test);
}

function describeCaps(test: StoreTest): void {
  test("monthly credits pay the whole cost while the key's month stops at its cap, even after a restart or a change of the cap [CRD-41]", async ({
    store,
    reopen,
  }) => {
    await store.ledger.post(samplePosting(await heldBy(store.ledger, capped), 900));
    expect(await balancesOf(store.ledger)).toMatchObject({ usedMicrocredits: 900 });
    expect(await keySpent(store.ledger)).toBe(500);
    const entry = await newest(store.ledger);
    expect(entry).toMatchObject({ microcredits: 900, receipt: { beyondCapMicrocredits: 400 } });
    expect(entry?.receipt?.shortfall).toBeUndefined();
    const { ledger } = await reopen();
    expect(await balancesOf(ledger)).toMatchObject({ usedMicrocredits: 900 });
    expect(await keySpent(ledger)).toBe(500);
    expect(shortageOf(await ledger.hold(sampleOrder(capped)))).toBe('key-cap-reached');
    const raised = { ...capped, keyCapMicrocredits: 650 };
    const hold = await heldBy(ledger, raised);
    expect(hold.microcredits).toBe(150);
    expect(shortageOf(await ledger.hold(sampleOrder({ ...raised, keyCapMicrocredits: 200 })))).toBe(
      'key-cap-reached',
    );
    await ledger.post(samplePosting(hold, 160));
    const { ledger: again } = await reopen();
    expect(await balancesOf(again)).toMatchObject({ usedMicrocredits: 1_060 });
    expect(await keySpent(again)).toBe(650);
    const [sum] = await again.sumUsage({ accountId: 'acct_1', from: 0, to: sampleTime * 2, by: 'key' });
    expect(sum?.microcredits).toBe(1_060);
    expect({ faults: await faultsOf(again), postings: again.shortfalls['key-cap'].postings }).toEqual({
      faults: [],
      postings: 0,
    });
  });

  test("a request that costs more than its hold does not use the holds of the key's other requests [CRD-41]", async ({
    store: { ledger },
  }) => {
    const first = await heldBy(ledger, capped);
    const second = await heldBy(ledger, capped);
    expect({ first: first.microcredits, second: second.microcredits }).toEqual({ first: 400, second: 100 });
    await ledger.post(samplePosting(first, 700));
    expect(await keySpent(ledger)).toBe(400);
    await ledger.post(samplePosting(second, 100));
    expect(await keySpent(ledger)).toBe(500);
    expect(await balancesOf(ledger)).toMatchObject({ usedMicrocredits: 800 });
  });

  test('requests of a capped key are charged in full after a crash, whether they were spooled or recovered [CRD-41]', async ({
    store,
    reopen,
  }) => {
    const spooled = await heldBy(store.ledger, capped);
    const recovered = await heldBy(store.ledger, capped);
    const checkpoint = samplePosting(recovered, 300);
    await store.ledger.checkpoint([{ posting: checkpoint, produced: true }]);
    const { ledger } = await reopen();
    await ledger.replay([samplePosting(spooled, 450)]);
    await ledger.recoverHolds();
    const expected = [{ usedMicrocredits: 750 }, 500, []];
    expect([await balancesOf(ledger), await keySpent(ledger), await faultsOf(ledger)]).toMatchObject(
      expected,
    );
    const { ledger: again } = await reopen();
    expect([await balancesOf(again), await keySpent(again), await faultsOf(again)]).toMatchObject(expected);
  });
}

function describeSharedCaps(test: StoreTest): void {
  test('a request is charged what it holds, even if a raised cap has admitted others meanwhile [CRD-41]', async ({
    store: { ledger },
  }) => {
    const first = await heldBy(ledger, capped);
    const second = await heldBy(ledger, { ...capped, keyCapMicrocredits: 800 });
    expect({ first: first.microcredits, second: second.microcredits }).toEqual({ first: 400, second: 400 });
    await ledger.post(samplePosting(second, 400));
    await ledger.post(samplePosting(first, 400));
    expect(await keySpent(ledger)).toBe(800);
    expect(await faultsOf(ledger)).toEqual([]);
  });

  for (const pays of ['monthly', 'purchased'] as const)
    test(`a request that ${pays} credit pays is charged what it holds after a crash, even if a raised cap has admitted others [CRD-41]`, async ({
      store,
      reopen,
    }) => {
      await store.ledger.give(sampleEntry());
      const order = { ...capped, pays };
      const spooled = await heldBy(store.ledger, order);
      const recovered = await heldBy(store.ledger, order);
      const other = await heldBy(store.ledger, { ...order, keyCapMicrocredits: 900 });
      expect([spooled, recovered, other].map(({ microcredits }) => microcredits)).toEqual([400, 100, 400]);
      await store.ledger.post(samplePosting(other, 400));
      await store.ledger.checkpoint([
        { posting: samplePosting(spooled, 400), produced: true },
        { posting: samplePosting(recovered, 100), produced: true },
      ]);
      const { ledger } = await reopen();
      await ledger.replay([samplePosting(spooled, 400)]);
      await ledger.recoverHolds();
      expect(await keySpent(ledger)).toBe(900);
      expect(await faultsOf(ledger)).toEqual([]);
      const charged = pays === 'monthly' ? { usedMicrocredits: 900 } : { purchasedMicrocredits: 100 };
      expect(await balancesOf(ledger)).toMatchObject(charged);
    });

  test('requests whose charges are written together stay within the cap of their key [CRD-41]', async ({
    store: { ledger },
  }) => {
    const order = { ...capped, keyCapMicrocredits: 800 };
    const holds = [await heldBy(ledger, order), await heldBy(ledger, order)];
    await Promise.all(holds.map((hold) => ledger.post(samplePosting(hold, 700))));
    expect(await keySpent(ledger)).toBe(800);
    expect(await faultsOf(ledger)).toEqual([]);
  });
}

function describeShortfalls(test: StoreTest): void {
  test('a charge that a balance or a cap limits records its list cost, and counts as a shortfall [CRD-42] [CRD-35] [CRD-36]', async ({
    store,
    reopen,
  }) => {
    const { ledger } = store;
    await ledger.give(sampleEntry({ microcredits: 700 }));
    const purchased = { pays: 'purchased', worst } as const;
    const cap = { ...purchased, keyId: 'key_2', keyCapMicrocredits: 300, worst: { least: 1, most: 50 } };
    await ledger.post(samplePosting(await heldBy(ledger, cap), 310));
    expect(await newest(ledger)).toMatchObject({
      microcredits: 300,
      receipt: { shortfall: { listCostMicrocredits: 310, bound: 'key-cap' } },
    });
    await ledger.post(samplePosting(await heldBy(ledger, purchased), 1_000));
    const expected = {
      microcredits: 400,
      receipt: { shortfall: { listCostMicrocredits: 1_000, bound: 'purchased-balance' } },
    };
    expect(await newest(ledger)).toMatchObject(expected);
    expect(ledger.shortfalls).toEqual({
      'key-cap': { postings: 1, microcredits: 10 },
      'purchased-balance': { postings: 1, microcredits: 600 },
      budget: { postings: 0, microcredits: 0 },
    });
    const { ledger: again } = await reopen();
    expect(await newest(again)).toMatchObject(expected);
    expect(await faultsOf(again)).toMatchObject([]);
    expect(again.shortfalls['key-cap'].postings).toBe(0);
  });

  test('a request that costs more than its hold does not use purchased credit that other requests hold [CRD-35]', async ({
    store: { ledger },
    reopen,
  }) => {
    await ledger.give(sampleEntry({ microcredits: 100 }));
    const half = { pays: 'purchased', worst: { least: 50, most: 50 } } as const;
    const first = await heldBy(ledger, half);
    const second = await heldBy(ledger, half);
    await ledger.post(samplePosting(first, 90));
    expect(await newest(ledger)).toMatchObject({ microcredits: 50 });
    await ledger.post(samplePosting(second, 90));
    expect(await newest(ledger)).toMatchObject({ microcredits: 50 });
    await ledger.give(sampleEntry({ microcredits: 100 }));
    const both = [await heldBy(ledger, half), await heldBy(ledger, half)];
    await Promise.all(both.map((hold) => ledger.post(samplePosting(hold, 90))));
    const { ledger: again } = await reopen();
    const expected = { purchasedMicrocredits: 0, debtMicrocredits: 0 };
    expect({ balances: await balancesOf(again), faults: await faultsOf(again) }).toMatchObject({
      balances: expected,
      faults: [],
    });
  });

  test('a shortfall counts once per written charge, and a full charge records none [CRD-42]', async ({
    store: { ledger },
  }) => {
    await ledger.give(sampleEntry({ microcredits: 700 }));
    const hold = await heldBy(ledger, { pays: 'purchased', worst });
    await ledger.post(samplePosting(hold, 700));
    expect((await newest(ledger))?.receipt?.shortfall).toBeUndefined();
    await ledger.give(sampleEntry({ microcredits: 5 }));
    const late = await heldBy(ledger, { pays: 'purchased' });
    await ledger.post(samplePosting(late, 9));
    for (let times = 0; times < 2; times++) await ledger.replay([samplePosting(late, 9)]);
    expect(ledger.shortfalls['purchased-balance']).toEqual({ postings: 1, microcredits: 4 });
  });
}

function describeStops(test: StoreTest): void {
  test('the shortfalls of an account add up over a time, even after a restart, until they are cleared [CRD-49]', async ({
    store,
    reopen,
  }) => {
    const short = async (ledger: LedgerStore, accountId: string, at: number) => {
      await ledger.give(sampleEntry({ accountId, microcredits: 100 }));
      const order = { accountId, at, pays: 'purchased', worst: { least: 1, most: 50 } } as const;
      await ledger.post(samplePosting(await heldBy(ledger, order), 400));
    };
    const since = sampleTime - 1_000;
    await short(store.ledger, 'acct_1', since);
    await short(store.ledger, 'acct_1', sampleTime);
    await short(store.ledger, 'acct_2', sampleTime);
    await short(store.ledger, 'acct_2', since - 1);
    const { shortfalls } = await reopen();
    const above = (most: number) => shortfalls.exceededShortfalls({ since, above: most, limit: 10 });
    expect(await above(299)).toEqual([
      { accountId: 'acct_1', microcredits: 600 },
      { accountId: 'acct_2', microcredits: 300 },
    ]);
    expect(await above(300)).toEqual([{ accountId: 'acct_1', microcredits: 600 }]);
    const rest = await shortfalls.exceededShortfalls({ since, above: 0, after: 'acct_1', limit: 10 });
    expect(rest).toEqual([{ accountId: 'acct_2', microcredits: 300 }]);
    await shortfalls.clearShortfalls('acct_1');
    expect(await above(0)).toEqual([{ accountId: 'acct_2', microcredits: 300 }]);
    await shortfalls.sweepShortfalls(sampleTime + 1);
    expect(await above(0)).toEqual([]);
  });
}

function describeDebts(test: StoreTest): void {
  const purchased = { pays: 'purchased', worst } as const;
  const taken = () => sampleEntry({ kind: 'adjustment', microcredits: -1_000 });

  test('an entry that takes credit and is sent twice at once is written once without a refusal', async ({
    store: { ledger },
  }) => {
    await ledger.give(sampleEntry({ microcredits: 500 }));
    const taken = sampleEntry({ id: 'ent_taken', kind: 'adjustment', microcredits: -400 });
    expect(await Promise.all([ledger.give(taken), ledger.give(taken)])).toEqual([true, true]);
    expect(await ledger.give(taken)).toBe(true);
    expect(await ledger.give({ ...taken, id: 'ent_other' })).toBe(false);
    expect(await faultsOf(ledger)).toEqual([]);
  });

  test('a reversed payment takes back what is held or spent as a debt, which released holds and purchases pay first [CRD-53]', async ({
    store: { ledger },
  }) => {
    await ledger.give(sampleEntry({ microcredits: 1_000 }));
    const first = await heldBy(ledger, purchased);
    const second = await heldBy(ledger, purchased);
    const reversal = taken();
    expect(await ledger.give(reversal)).toBe(false);
    for (let times = 0; times < 2; times++) expect(await ledger.give(reversal, { mayOwe: true })).toBe(true);
    expect(await balancesOf(ledger)).toMatchObject({ purchasedMicrocredits: 0, debtMicrocredits: 800 });
    expect(shortageOf(await ledger.hold(sampleOrder(purchased)))).toBe('purchased-too-little');
    await ledger.post(samplePosting(first, 300));
    expect(await balancesOf(ledger)).toMatchObject({ purchasedMicrocredits: 0, debtMicrocredits: 700 });
    await ledger.void(second);
    expect(await balancesOf(ledger)).toMatchObject({ purchasedMicrocredits: 0, debtMicrocredits: 300 });
    expect((await newest(ledger))?.receipt?.shortfall).toBeUndefined();
    expect(shortageOf(await ledger.hold(sampleOrder(purchased)))).toBe('purchased-too-little');
    await ledger.give(sampleEntry({ microcredits: 100 }));
    expect(await balancesOf(ledger)).toMatchObject({ purchasedMicrocredits: 0, debtMicrocredits: 200 });
    await ledger.give(sampleEntry({ microcredits: 200 }));
    expect(shortageOf(await ledger.hold(sampleOrder(purchased)))).toBe('nothing-purchased');
    await ledger.give(sampleEntry({ microcredits: 150 }));
    expect(await balancesOf(ledger)).toMatchObject({ purchasedMicrocredits: 150, debtMicrocredits: 0 });
    expect((await heldBy(ledger, purchased)).microcredits).toBe(150);
    expect(await faultsOf(ledger)).toEqual([]);
  });

  test('a debt is exact after a crash, for spooled, recovered and lost requests [CRD-53]', async ({
    store,
    reopen,
  }) => {
    await store.ledger.give(sampleEntry({ microcredits: 1_000 }));
    const hundred = { ...purchased, worst: { least: 100, most: 100 } };
    const holds = [await heldBy(store.ledger, hundred), await heldBy(store.ledger, hundred)];
    const lost = await heldBy(store.ledger, hundred);
    await store.ledger.give(taken(), { mayOwe: true });
    const checkpoint = { posting: samplePosting(holds[1]!, 70), produced: true };
    await store.ledger.checkpoint([checkpoint, { posting: samplePosting(lost, 0), produced: false }]);
    const { ledger } = await reopen();
    await ledger.replay([samplePosting(holds[0]!, 90)]);
    await ledger.recoverHolds();
    expect(await balancesOf(ledger)).toMatchObject({ purchasedMicrocredits: 0, debtMicrocredits: 160 });
    expect(await faultsOf(ledger)).toEqual([]);
    await ledger.give(sampleEntry({ microcredits: 161 }));
    const { ledger: again } = await reopen();
    await again.recoverHolds();
    expect(await balancesOf(again)).toMatchObject({ purchasedMicrocredits: 1, debtMicrocredits: 0 });
  });
}
