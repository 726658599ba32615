import { expect } from 'bun:test';
import { balancesOf, faultsOf, heldBy, sampleEntry, samplePeriod, samplePosting } from './sample-ledger.ts';
import type { StoreTest } from './store-test.ts';

/** More accounts than any implementation keeps in memory. */
const MANY = 20_001;

/** Tests of evicted accounts, failed writes and restarts. */
export function describeLedgerRestarts(test: StoreTest): void {
  test('entries after a failed write count after every restart', async ({ store, reopen }) => {
    const purchase = sampleEntry({ microcredits: 100 });
    for (let times = 0; times < 3; times++) await store.ledger.give(purchase);
    expect(await store.ledger.ledgerAccounts({ limit: 1 })).toEqual(['acct_1']);
    const second = await reopen();
    for (const microcredits of [20, 3]) await second.ledger.give(sampleEntry({ microcredits }));
    const { ledger } = await reopen();
    expect(await balancesOf(ledger)).toMatchObject({ purchasedMicrocredits: 123 });
    expect(await faultsOf(ledger)).toEqual([]);
  });

  test('an account that is evicted during a write keeps one chain', async ({ store: { ledger } }) => {
    await ledger.openPeriod('acct_1', samplePeriod());
    const opened = ledger.openPeriod('acct_1', samplePeriod({ id: 'cycle-2' }));
    for (let number = 0; number < MANY; number++) ledger.balances(`acct_of_many_${number}`, samplePeriod());
    await Promise.all([opened, ledger.give(sampleEntry()), ledger.give(sampleEntry())]);
    const page = await ledger.listEntries({ accountId: 'acct_1', limit: 10 });
    expect(page?.items.map(({ sequence }) => sequence)).toEqual([3, 2, 1]);
    expect(await faultsOf(ledger)).toEqual([]);
  });

  test('a spooled posting that is not written does not change the balance', async ({ store: { ledger } }) => {
    const { order } = await heldBy(ledger);
    const job = { lease: { batch: 9, number: 1, attempt: 1 }, result: 'succeeded', line: null } as const;
    await ledger.replay([samplePosting({ order, microcredits: 0 }, 300, { job })]);
    expect(await balancesOf(ledger)).toMatchObject({ usedMicrocredits: 0 });
    expect(await faultsOf(ledger)).toEqual([]);
  });
}
