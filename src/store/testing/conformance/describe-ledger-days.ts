import { expect } from 'bun:test';
import { DAY_MS, HOUR_MS } from '../../../base/lib/units.ts';
import { heldBy, sampleEntry, sampleOrder, samplePosting, sampleTime, shortageOf } from './sample-ledger.ts';
import type { StoreTest } from './store-test.ts';

const worst = { least: 100, most: 400 };

/** Describes tests of daily token limits, and of usage over spans of days. */
export function describeLedgerDays(test: StoreTest): void {
  const limited = { tokensPerDay: 20 } as const;

  test('a used-up daily token limit refuses requests until the next day', async ({ store, reopen }) => {
    const { ledger } = store;
    const holds = [await heldBy(ledger, limited), await heldBy(ledger, limited)]; // ten tokens each
    await ledger.post(samplePosting(holds[0]!, 1));
    await heldBy(ledger, limited);
    await ledger.post(samplePosting(holds[1]!, 1));
    expect(shortageOf(await ledger.hold(sampleOrder(limited)))).toBe('day-used-up');
    const { ledger: again } = await reopen();
    expect(await again.tokensOn('acct_1', sampleTime)).toBe(20);
    expect(await again.tokensOn('acct_2', sampleTime)).toBe(0);
    expect(shortageOf(await again.hold(sampleOrder(limited)))).toBe('day-used-up');
    const tomorrow = { ...limited, at: sampleTime + DAY_MS };
    await again.post(samplePosting(await heldBy(again, tomorrow), 1));
    expect(await again.tokensOn('acct_1', tomorrow.at)).toBe(10);
  });

  test('daily tokens exclude requests of the day before and of plans without a daily limit', async ({
    store,
    reopen,
  }) => {
    const { ledger } = store;
    const late = await heldBy(ledger, limited);
    await ledger.post(samplePosting(await heldBy(ledger), 1));
    await ledger.post(samplePosting(await heldBy(ledger, { ...limited, at: sampleTime + DAY_MS }), 1));
    await ledger.post(samplePosting(late, 1));
    expect(await ledger.tokensOn('acct_1', sampleTime + DAY_MS)).toBe(10);
    expect(await (await reopen()).ledger.tokensOn('acct_1', sampleTime + DAY_MS)).toBe(10);
  });

  test('reports what a request could hold without holding it', async ({ store: { ledger } }) => {
    const order = sampleOrder({ pays: 'purchased', worst });
    expect(await ledger.afford(order)).toMatchObject({ shortage: 'nothing-purchased' });
    await ledger.give(sampleEntry({ microcredits: 300 }));
    for (let round = 0; round < 3; round++) expect(await ledger.afford(order)).toBe(300);
    expect((await heldBy(ledger, order)).microcredits).toBe(300);
    expect(await ledger.afford(order)).toMatchObject({ shortage: 'purchased-too-little' });
  });

  test('the usage of any span is the sum of its hours, regardless of day boundaries', async ({
    store: { ledger },
  }) => {
    const start = Date.UTC(2026, 0, 31);
    const hours = [-25, -24, -1, 0, 1, 5, 23, 24, 47, 48, 49, 72];
    for (const hour of hours) {
      const hold = await heldBy(ledger, { at: start + hour * HOUR_MS + 1 });
      await ledger.post(samplePosting(hold, 1));
    }
    for (const from of [-30, -25, -24, -5, 0, 1, 5, 24, 30])
      for (const to of [-24, 0, 2, 6, 23, 24, 30, 48, 50, 73]) {
        const span = { from: start + from * HOUR_MS, to: start + to * HOUR_MS };
        const sums = await ledger.sumUsage({ accountId: 'acct_1', ...span, by: 'day' });
        const requests = sums.reduce((sum, day) => sum + day.requests, 0);
        expect({ from, to, requests }).toEqual({
          from,
          to,
          requests: hours.filter((h) => h >= from && h < to).length,
        });
      }
  });
}
