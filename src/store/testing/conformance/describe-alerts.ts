import { describe, expect } from 'bun:test';
import { newId } from '../../../base/lib/ids.ts';
import type { AlertDelivery, TrackedAlert } from '../../../watch/alerts/alert.ts';
import { gatewayBounds } from '../../../watch/alerts/alert-bounds.ts';
import { everyPage } from './every-page.ts';
import { type OpenStore, type StoreTest, storeTest } from './store-test.ts';
import { textSamples } from './text-samples.ts';

export function describeAlerts(open: OpenStore): void {
  describe('alerts', () => {
    const check = storeTest(open);
    checkRecords(check);
    checkOccasions(check);
    checkBound(check);
    checkRings(check);
    checkMarks(check);
  });
}

const bounds = { ...gatewayBounds, alerts: 100 };

const delivery = (alertId: string, fields: Partial<AlertDelivery> = {}): AlertDelivery => ({
  alertId,
  webhook: 'wh_a',
  host: 'https://a.example',
  state: 'waiting',
  attempts: 0,
  nextAt: 5,
  endedAt: null,
  status: null,
  error: null,
  ...fields,
});

function sample(fields: Partial<TrackedAlert> = {}): TrackedAlert {
  const id = newId('alrt_');
  return { id, at: 1_000, event: 'cap_80', body: '{"a":1}', deliveries: [delivery(id)], ...fields };
}

function checkRecords(check: StoreTest): void {
  check(
    'keeps alerts, their bodies and their deliveries, even after a restart',
    async ({ store, reopen }) => {
      const alerts = textSamples.map((body) => sample({ body }));
      for (const alert of alerts)
        expect(await store.addAlert(alert, { bounds })).toEqual({
          isNew: true,
          removed: [],
          deliveries: [...alert.deliveries],
        });
      const reopened = await reopen();
      expect((await reopened.listAlerts({ limit: 100 })).items).toEqual([...alerts].reverse());
      expect(await reopened.findAlert(alerts[0]!.id)).toEqual(alerts[0]!);
      expect(await reopened.findAlert('alrt_none')).toBeUndefined();
      expect(await reopened.findAlert('alrt_\0')).toBeUndefined();
    },
  );

  check('returns the deliveries that wait, the oldest alert first', async ({ store, reopen }) => {
    const first = sample();
    const second = sample({ event: 'disk_low' });
    const other = delivery(second.id, { webhook: 'wh_b' });
    await store.addAlert(first, { bounds });
    await store.addAlert({ ...second, deliveries: [delivery(second.id), other] }, { bounds });
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
    for (const alert of alerts) await store.addAlert(alert, { bounds });
    const pages = await everyPage((page) => store.listAlerts(page), 10);
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
    expect(pages.flat().map(({ id }) => id)).toEqual(alerts.map(({ id }) => id).reverse());
    expect(await store.listAlerts({ limit: 10, after: 'alrt_none' })).toEqual({ items: [], hasMore: false });
  });
}

function checkOccasions(check: StoreTest): void {
  check('reports an occasion once until its time ends, even after a restart', async ({ store, reopen }) => {
    const add = (to: typeof store, at: number, name: string, until: number | null) =>
      to.addAlert(sample({ at }), { occasion: { name, until }, bounds });
    expect((await add(store, 100, 'month', 200)).isNew).toBe(true);
    expect((await add(store, 150, 'month', 250)).isNew).toBe(false);
    expect((await add(store, 150, 'other', null)).isNew).toBe(true);
    const reopened = await reopen();
    expect((await add(reopened, 199, 'month', 300)).isNew).toBe(false);
    expect((await add(reopened, 200, 'month', 300)).isNew).toBe(true);
    expect((await add(reopened, 9_000_000_000_000, 'other', null)).isNew).toBe(false);
    expect((await reopened.listAlerts({ limit: 10 })).items.map(({ at }) => at)).toEqual([200, 150, 100]);
  });

  check('extends an occasion, and never shortens it, even after a restart', async ({ store, reopen }) => {
    const add = (to: typeof store, at: number) =>
      to.addAlert(sample({ at }), { occasion: { name: 'down', until: at + 100 }, bounds });
    await add(store, 100);
    await store.extendOccasion('down', 500);
    await store.extendOccasion('down', 400);
    await store.extendOccasion('never reported', 900);
    const reopened = await reopen();
    expect((await add(reopened, 499)).isNew).toBe(false);
    expect((await add(reopened, 500)).isNew).toBe(true);
  });

  check('reports an occasion once if two alerts arrive at the same time', async ({ store }) => {
    const occasion = { name: 'month', until: null };
    const added = await Promise.all(
      [sample(), sample()].map((alert) => store.addAlert(alert, { occasion, bounds })),
    );
    expect(added.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
  });
}

const three = { ...gatewayBounds, alerts: 3 };

function checkBound(check: StoreTest): void {
  check(
    'removes the oldest alerts beyond the bound, and returns their waiting deliveries',
    async ({ store }) => {
      const alerts = Array.from({ length: 4 }, (_, at) => sample({ at }));
      for (const alert of alerts.slice(0, 3)) await store.addAlert(alert, { bounds: three });
      await store.saveAlertDelivery(delivery(alerts[1]!.id, { state: 'delivered', endedAt: 1 }));
      expect(await store.addAlert(alerts[3]!, { bounds: three })).toEqual({
        isNew: true,
        deliveries: [...alerts[3]!.deliveries],
        removed: [delivery(alerts[0]!.id)],
      });
      expect((await store.addAlert(sample(), { bounds: three })).removed).toEqual([]);
      await store.saveAlertDelivery(delivery(alerts[0]!.id, { attempts: 2 })); // of a removed alert
      expect((await store.waitingAlertDeliveries()).map((row) => row.alert.at)).toEqual([2, 3, 1_000]);
    },
  );
}

function checkRings(check: StoreTest): void {
  check(
    'alerts of an organization replace none of another organization or of the gateway',
    async ({ store }) => {
      const gateway = sample({ at: 1 });
      const other = sample({ at: 2 });
      await store.addAlert(gateway, { bounds: three });
      await store.addAlert(other, { bounds: three, owner: 'acct_b' });
      for (let at = 3; at < 10; at++)
        await store.addAlert(sample({ at }), { bounds: three, owner: 'acct_a' });
      expect((await store.listAlerts({ limit: 100 })).items.map(({ at }) => at)).toEqual([9, 8, 7, 2, 1]);
    },
  );

  check('sends a recipient this many alerts in a time, and further ones later', async ({ store, reopen }) => {
    const slow = { ...bounds, rate: 2, rateMs: 1_000 };
    const dueOf = async (to: typeof store, owner?: string) =>
      (await to.addAlert(sample(), { bounds: slow, owner })).deliveries.map(({ nextAt }) => nextAt);
    const due: number[][] = [];
    for (let count = 0; count < 3; count++) due.push(await dueOf(store));
    expect(due).toEqual([[5], [5], [1_005]]);
    expect(await dueOf(store, 'acct_a')).toEqual([5]); // the flood of one kind does not delay the other
    const reopened = await reopen();
    expect(await dueOf(reopened)).toEqual([1_005]);
    expect((await reopened.waitingAlertDeliveries()).map((row) => row.delivery.nextAt).sort()).toEqual(
      [1_005, 1_005, 5, 5, 5].sort(),
    );
  });

  check('drops the oldest of too many deliveries that wait for a recipient', async ({ store }) => {
    const few = { ...bounds, waiting: 2, error: 'Too many.' };
    const alerts = Array.from({ length: 4 }, (_, nextAt) => {
      const alert = sample();
      return { ...alert, deliveries: [delivery(alert.id, { nextAt })] };
    });
    const removed: string[] = [];
    for (const alert of alerts)
      removed.push(...(await store.addAlert(alert, { bounds: few })).removed.map(({ alertId }) => alertId));
    expect(removed).toEqual(alerts.slice(0, 2).map(({ id }) => id));
    const [dropped] = (await store.findAlert(alerts[0]!.id))!.deliveries;
    expect(dropped).toMatchObject({ state: 'dropped', endedAt: 1_000, error: 'Too many.' });
    expect((await store.waitingAlertDeliveries()).length).toBe(2);
  });
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
