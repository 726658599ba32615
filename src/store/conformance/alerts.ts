import { describe, expect } from 'bun:test';
import type { AlertDelivery, TrackedAlert } from '../../api/alerts/alert.ts';
import { newId } from '../../base/lib/ids.ts';
import { everyPage } from './every-page.ts';
import { type OpenStore, type StoreTest, storeTest } from './store-test.ts';
import { textSamples } from './text-samples.ts';

export function describeAlerts(open: OpenStore): void {
  describe('alerts', () => {
    const check = storeTest(open);
    checkRecords(check);
    checkOccasions(check);
    checkBound(check);
    checkMarks(check);
  });
}

const MOST = 100;

const delivery = (alertId: string, fields: Partial<AlertDelivery> = {}): AlertDelivery => ({
  ...{ alertId, webhook: 'wh_a', host: 'https://a.example', state: 'waiting', attempts: 0, nextAt: 5 },
  ...{ endedAt: null, status: null, error: null },
  ...fields,
});

function sample(fields: Partial<TrackedAlert> = {}): TrackedAlert {
  const id = newId('alrt_');
  return { id, at: 1_000, event: 'cap_80', body: '{"a":1}', deliveries: [delivery(id)], ...fields };
}

function checkRecords(check: StoreTest): void {
  check(
    'keeps alerts, their bodies and their deliveries, also after a restart',
    async ({ store, reopen }) => {
      const alerts = textSamples.map((body) => sample({ body }));
      for (const alert of alerts)
        expect(await store.addAlert(alert, { most: MOST })).toEqual({ isNew: true, removed: [] });
      const reopened = await reopen();
      expect((await reopened.listAlerts({ limit: 100 })).items).toEqual([...alerts].reverse());
      expect(await reopened.findAlert(alerts[0]!.id)).toEqual(alerts[0]!);
      expect(await reopened.findAlert('alrt_none')).toBeUndefined();
      expect(await reopened.findAlert('alrt_\0')).toBeUndefined();
    },
  );

  check('returns the deliveries that wait, the oldest alert first', async ({ store, reopen }) => {
    const [first, second] = [sample(), sample({ event: 'disk_low' })];
    const other = delivery(second.id, { webhook: 'wh_b' });
    await store.addAlert(first, { most: MOST });
    await store.addAlert({ ...second, deliveries: [delivery(second.id), other] }, { most: MOST });
    const tried = { ...delivery(first.id), attempts: 3, nextAt: 9, status: 500, error: 'Zoë' };
    await store.saveAlertDelivery(tried);
    await store.saveAlertDelivery({ ...other, state: 'delivered', attempts: 1, endedAt: 7, status: 200 });
    const waiting = await (await reopen()).waitingAlertDeliveries();
    expect(waiting.map((row) => row.delivery)).toEqual([tried, delivery(second.id)]);
    const { deliveries: _, ...alert } = first;
    expect(waiting[0]!.alert).toEqual(alert);
  });

  check('lists alerts newest first, in pages', async ({ store }) => {
    const alerts = Array.from({ length: 25 }, () => sample());
    for (const alert of alerts) await store.addAlert(alert, { most: MOST });
    const pages = await everyPage((page) => store.listAlerts(page), 10);
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
    expect(pages.flat().map(({ id }) => id)).toEqual(alerts.map(({ id }) => id).reverse());
    expect(await store.listAlerts({ limit: 10, after: 'alrt_none' })).toEqual({ items: [], hasMore: false });
  });
}

function checkOccasions(check: StoreTest): void {
  check('tells an occasion once until its time ends, also after a restart', async ({ store, reopen }) => {
    const add = (to: typeof store, at: number, name: string, until: number | null) =>
      to.addAlert(sample({ at }), { occasion: { name, until }, most: MOST });
    expect((await add(store, 100, 'month', 200)).isNew).toBe(true);
    expect((await add(store, 150, 'month', 250)).isNew).toBe(false);
    expect((await add(store, 150, 'other', null)).isNew).toBe(true);
    const reopened = await reopen();
    expect((await add(reopened, 199, 'month', 300)).isNew).toBe(false);
    expect((await add(reopened, 200, 'month', 300)).isNew).toBe(true);
    expect((await add(reopened, 9_000_000_000_000, 'other', null)).isNew).toBe(false);
    expect((await reopened.listAlerts({ limit: 10 })).items.map(({ at }) => at)).toEqual([200, 150, 100]);
  });

  check('extends an occasion, and never shortens it, also after a restart', async ({ store, reopen }) => {
    const add = (to: typeof store, at: number) =>
      to.addAlert(sample({ at }), { occasion: { name: 'down', until: at + 100 }, most: MOST });
    await add(store, 100);
    await store.extendOccasion('down', 500);
    await store.extendOccasion('down', 400);
    await store.extendOccasion('never told', 900);
    const reopened = await reopen();
    expect((await add(reopened, 499)).isNew).toBe(false);
    expect((await add(reopened, 500)).isNew).toBe(true);
  });

  check('tells an occasion once if two alerts arrive at the same time', async ({ store }) => {
    const occasion = { name: 'month', until: null };
    const added = await Promise.all(
      [sample(), sample()].map((alert) => store.addAlert(alert, { occasion, most: MOST })),
    );
    expect(added.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
  });
}

function checkBound(check: StoreTest): void {
  check(
    'removes the oldest alerts beyond the bound, and returns their waiting deliveries',
    async ({ store }) => {
      const alerts = Array.from({ length: 4 }, (_, at) => sample({ at }));
      for (const alert of alerts.slice(0, 3)) await store.addAlert(alert, { most: 3 });
      await store.saveAlertDelivery(delivery(alerts[1]!.id, { state: 'delivered', endedAt: 1 }));
      expect(await store.addAlert(alerts[3]!, { most: 3 })).toEqual({
        isNew: true,
        removed: [delivery(alerts[0]!.id)],
      });
      expect((await store.addAlert(sample(), { most: 3 })).removed).toEqual([]);
      await store.saveAlertDelivery(delivery(alerts[0]!.id, { attempts: 2 })); // of a removed alert
      expect((await store.waitingAlertDeliveries()).map((row) => row.alert.at)).toEqual([2, 3, 1_000]);
    },
  );
}

function checkMarks(check: StoreTest): void {
  check('keeps the balance after the latest purchase of each account', async ({ store, reopen }) => {
    await store.saveCreditMark('acct_a', 5);
    await store.saveCreditMark('acct_b', Number.MAX_SAFE_INTEGER);
    await store.saveCreditMark('acct_a', 7);
    const reopened = await reopen();
    expect([...(await reopened.creditMarks())].sort()).toEqual([
      ['acct_a', 7],
      ['acct_b', Number.MAX_SAFE_INTEGER],
    ]);
    expect(await reopened.creditMark('acct_a')).toBe(7);
    expect(await reopened.creditMark('acct_none')).toBeUndefined();
  });
}
