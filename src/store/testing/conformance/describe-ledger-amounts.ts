import { expect } from 'bun:test';
import {
  balancesOf,
  faultsOf,
  heldBy,
  sampleEntry,
  sampleOrder,
  samplePeriod,
  samplePosting,
  shortageOf,
} from './sample-ledger.ts';
import type { StoreTest } from './store-test.ts';

/** Describes tests of the largest amounts. No sum may exceed the largest safe integer. */
export function describeLedgerAmounts(test: StoreTest): void {
  test('concurrent grants never exceed the largest safe integer [CRD-48]', async ({ store }) => {
    const most = Number.MAX_SAFE_INTEGER;
    const give = (period: string) =>
      store.ledger.give(sampleEntry({ kind: 'grant', period, microcredits: 5e15 }));
    expect((await Promise.all([give('purchased'), give('purchased')])).sort()).toEqual([false, true]);
    expect((await Promise.all([give('cycle-1'), give('cycle-1')])).sort()).toEqual([false, true]);
    const upTo = { kind: 'grant', period: 'cycle-1' } as const;
    // Includes the most that a plan can give.
    const left = most - 5e15 - 1e15;
    expect(await store.ledger.give(sampleEntry({ ...upTo, microcredits: left + 1 }))).toBe(false);
    expect(await store.ledger.give(sampleEntry({ ...upTo, microcredits: left }))).toBe(true);
    expect(await faultsOf(store.ledger)).toEqual([]);
  });

  test('usage without a limit never exceeds the largest safe integer [CRD-48]', async ({
    store: { ledger },
  }) => {
    const period = samplePeriod({ limitMicrocredits: null });
    const rates = { input: 5e12, cachedInput: 5e12, output: 5e12 };
    const tokens = { input: 1e8, cachedInput: 0, cacheWriteInput: 0, output: 1e8, reasoning: 0 };
    const holds = await Promise.all(Array.from({ length: 11 }, () => heldBy(ledger, { period })));
    for (const hold of holds) {
      const { receipt, ...posting } = samplePosting(hold, 1e15);
      await ledger.post({ ...posting, receipt: { ...receipt, tokens, rates } });
    }
    expect((await ledger.balances('acct_1', period)).usedMicrocredits).toBe(Number.MAX_SAFE_INTEGER);
    expect(shortageOf(await ledger.hold(sampleOrder({ period })))).toBe('period-used-up');
    expect(await faultsOf(ledger)).toEqual([]);
  });

  test('no balance exceeds the largest safe integer', async ({ store, reopen }) => {
    const most = Number.MAX_SAFE_INTEGER;
    for (const [microcredits, isGiven] of [
      [most - 1, true],
      [2, false],
      [1, true],
      [1, false],
      [-most, true],
      [3, true],
    ] as const)
      expect(await store.ledger.give(sampleEntry({ microcredits }))).toBe(isGiven);
    const { ledger } = await reopen();
    expect(await balancesOf(ledger)).toMatchObject({ purchasedMicrocredits: 3 });
    expect(await faultsOf(ledger)).toEqual([]);
  });
}
