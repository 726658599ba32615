import { describe, expect } from 'bun:test';
import { HOUR_MS } from '../../../base/lib/units.ts';
import type { SpendLabels } from '../../../money/budgets/spend-labels.ts';
import type { Spending } from '../../../money/ledger/spend-watch.ts';
import { budgetAudit, sampleBudget } from './sample-budget.ts';
import {
  faultsOf,
  heldBy,
  sampleEntry,
  sampleOrder,
  samplePosting,
  sampleTime,
  shortageOf,
} from './sample-ledger.ts';
import { type OpenStore, type StoreTest, storeTest, type TestedStore } from './store-test.ts';

const labels: SpendLabels = { personId: 'per_1', endUser: 'ada', tags: ['one', 'two'] };
const worst = { least: 100, most: 400 };
const budgeted = { worst, labels, isBudgeted: true };

/** Returns the targets of a budget with what they have spent and hold. */
const spending = async ({ budgets }: TestedStore, id: string, now = sampleTime) => {
  const budget = (await budgets.findBudget(id))!;
  const { items } = await budgets.listSpending(budget, { now, limit: 10 });
  return items.map(({ target, usedMicrocredits: used, heldMicrocredits: held, requests }) => [
    target,
    used,
    held,
    requests,
  ]);
};

async function spend({ ledger }: TestedStore, microcredits: number, at = sampleTime): Promise<void> {
  const hold = await heldBy(ledger, { ...budgeted, at });
  const posting = samplePosting(hold, microcredits);
  await ledger.post({ ...posting, receipt: { ...posting.receipt, labels } });
}

/** Describes tests of budgets: their counters, their holds, and what remains of them. */
export function describeBudgets(open: OpenStore): void {
  const test = storeTest(open);
  describe('budgets', () => {
    test('a budget counts earlier charges, holds of open requests and later charges, even after a restart', async ({
      store,
      reopen,
    }) => {
      await spend(store, 30);
      await store.budgets.createBudget(sampleBudget({ scope: 'tag' }), budgetAudit, 10);
      await spend(store, 20);
      expect(await spending(store, 'bud_tag')).toEqual([
        ['one', 50, 0, 2],
        ['two', 50, 0, 2],
      ]);
      const open = await heldBy(store.ledger, budgeted);
      const voided = await heldBy(store.ledger, budgeted);
      expect((await spending(store, 'bud_tag'))[0]).toEqual(['one', 50, 800, 2]);
      expect(await faultsOf(store.ledger)).toEqual([]);
      await store.ledger.void(voided);
      await store.ledger.post(samplePosting(open, 0));
      expect((await spending(store, 'bud_tag'))[0]!.slice(1, 3)).toEqual([50, 0]);
      const again = await reopen();
      expect((await spending(again, 'bud_tag'))[0]!.slice(1, 3)).toEqual([50, 0]);
      expect(await faultsOf(again.ledger)).toEqual([]);
    });

    test('a hold takes what is left of a budget, and less than the least is a shortage with its figures', async ({
      store,
    }) => {
      const limit = { scope: 'member', limitMicrocredits: 500 } as const;
      await store.budgets.createBudget(sampleBudget(limit), budgetAudit, 10);
      const first = await heldBy(store.ledger, budgeted);
      const second = await heldBy(store.ledger, budgeted);
      expect({ first: first.microcredits, second: second.microcredits }).toEqual({ first: 400, second: 100 });
      const refused = await store.ledger.hold(sampleOrder(budgeted));
      expect(shortageOf(refused)).toBe('budget-reached');
      expect('budgets' in refused && refused.budgets).toMatchObject([
        { target: 'per_1', usedMicrocredits: 0, heldMicrocredits: 500, budget: { id: 'bud_member' } },
      ]);
      const other = { ...budgeted, labels: { ...labels, personId: 'per_2' } };
      expect((await heldBy(store.ledger, other)).microcredits).toBe(400);
      const budget = (await store.budgets.findBudget('bud_member'))!;
      expect(await store.budgets.removeBudget(budget, budgetAudit)).toBe(true);
      await store.ledger.void(first);
      expect((await heldBy(store.ledger, budgeted)).microcredits).toBe(400);
      expect(await faultsOf(store.ledger)).toEqual([]);
    });

    test('a request that costs more than its hold does not use the part of a budget that others hold', async ({
      store,
    }) => {
      await store.ledger.give(sampleEntry({ microcredits: 10_000 }));
      const limit = { scope: 'member', limitMicrocredits: 500 } as const;
      await store.budgets.createBudget(sampleBudget(limit), budgetAudit, 10);
      const paid = { ...budgeted, pays: 'purchased' } as const;
      const first = await heldBy(store.ledger, paid);
      const second = await heldBy(store.ledger, paid);
      for (const hold of [first, second]) {
        const posting = samplePosting(hold, 700);
        await store.ledger.post({ ...posting, receipt: { ...posting.receipt, labels } });
      }
      expect(await spending(store, 'bud_member')).toEqual([['per_1', 500, 0, 2]]);
      expect(await faultsOf(store.ledger)).toEqual([]);
    });

    describeReports(test);
    describeWindows(test);
  });
}

function describeReports(test: StoreTest): void {
  test('a refusal reports the budgets that refused, and none that has room', async ({ store }) => {
    const spent: Spending[] = [];
    store.ledger.watchSpending({ spent: (spending) => void spent.push(spending), purchased: () => {} });
    await store.budgets.createBudget(sampleBudget({ limitMicrocredits: 1_000_000 }), budgetAudit, 10);
    const small = { scope: 'member', limitMicrocredits: 50 } as const;
    await store.budgets.createBudget(sampleBudget(small), budgetAudit, 10);
    expect(shortageOf(await store.ledger.hold(sampleOrder(budgeted)))).toBe('budget-reached');
    expect(spent).toMatchObject([{ refused: 'budget-reached', budgets: [{ budget: { id: 'bud_member' } }] }]);
  });
}

function describeWindows(test: StoreTest): void {
  test('another window counts again, an older revision changes nothing, and old bins are swept', async ({
    store,
    reopen,
  }) => {
    await spend(store, 10, sampleTime - 5 * HOUR_MS);
    const fields = { window: 'hour', kind: 'sliding' } as const;
    await store.budgets.createBudget(sampleBudget(fields), budgetAudit, 10);
    await spend(store, 7);
    const id = 'bud_organization';
    expect(await spending(store, id)).toEqual([['', 7, 0, 1]]);
    const known = (await store.budgets.findBudget(id))!;
    const { window, kind, countsFrom } = sampleBudget({ window: 'day', kind: 'calendar' });
    const wider = { ...known, window, kind, countsFrom, counter: 'cnt_wider' };
    expect(await store.budgets.saveBudget(wider, budgetAudit)).toBe('saved');
    expect(await store.budgets.saveBudget(wider, budgetAudit)).toBe('conflict');
    expect(await store.budgets.removeBudget(known, budgetAudit)).toBe(false);
    expect(await spending(store, id)).toEqual([['', 17, 0, 2]]);
    const later = sampleTime + 5 * 24 * HOUR_MS;
    await store.budgets.sweep(later);
    await spend(store, 3, later);
    expect((await store.budgets.findBudget(id))!.countsFrom).toBeGreaterThan(sampleTime);
    expect(await spending(store, id, later)).toEqual([['', 3, 0, 1]]);
    expect(await spending(store, id)).toEqual([]);
    const again = await reopen();
    expect(await spending(again, id, later)).toEqual([['', 3, 0, 1]]);
    expect(await faultsOf(again.ledger)).toEqual([]);
  });
}
