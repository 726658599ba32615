import { afterAll, expect, test } from 'bun:test';
import { newId } from '../../../base/lib/ids.ts';
import type { TrackedAlert } from '../../../watch/alerts/alert.ts';
import { gatewayBounds } from '../../../watch/alerts/alert-bounds.ts';
import { Database } from '../database.ts';
import { postgresForTest } from '../testing/postgres-for-test.ts';
import { PostgresAlerts } from './postgres-alerts.ts';

const HOLD_MS = 60_000;

const url = await (await postgresForTest()).create();
const databases = [new Database({ url, maxConnections: 3 }), new Database({ url, maxConnections: 3 })];
afterAll(() => Promise.all(databases.map((database) => database.close())));

const nodeOn = (index: number, holdMs = HOLD_MS) =>
  new PostgresAlerts(databases[index]!, newId('proc_'), holdMs);

function sample(at = 1_000): TrackedAlert {
  const id = newId('alrt_');
  const delivery = {
    alertId: id,
    webhook: 'wh_a',
    host: 'https://a.example',
    state: 'waiting' as const,
    attempts: 0,
    nextAt: at,
    endedAt: null,
    status: null,
    error: null,
  };
  return { id, at, event: 'provider_down', body: '{}', deliveries: [delivery] };
}

const idsOf = (taken: { alert: { id: string } }[]) => taken.map(({ alert }) => alert.id);

test('one of several nodes reports an occasion, even when its former time has ended', async () => {
  const nodes = [nodeOn(0), nodeOn(1), nodeOn(0), nodeOn(1)];
  for (let at = 100; at <= 1_000; at += 100) {
    const occasion = { name: 'provider_down a', until: at + 100 };
    const added = await Promise.all(
      nodes.map((node) => node.addAlert(sample(at), { occasion, bounds: gatewayBounds })),
    );
    expect(added.filter(({ isNew }) => isNew).length).toBe(1);
  }
});

test('an occasion that a node extends is not reported by another node', async () => {
  const one = nodeOn(0);
  const other = nodeOn(1);
  const add = (node: PostgresAlerts, at: number) =>
    node.addAlert(sample(at), {
      occasion: { name: 'provider_down b', until: at + 15 },
      bounds: gatewayBounds,
    });
  expect((await add(one, 0)).isNew).toBe(true);
  await one.extendOccasion('provider_down b', 40);
  await one.extendOccasion('provider_down b', 30); // never shortens it
  expect((await add(other, 39)).isNew).toBe(false);
  expect((await add(other, 40)).isNew).toBe(true);
});

test('nodes that remove the oldest alerts at the same time remove each once', async () => {
  await databases[0]!.run('DELETE FROM alert');
  const bounds = { ...gatewayBounds, alerts: 20 };
  const nodes = [nodeOn(0), nodeOn(1)];
  const alerts = Array.from({ length: 100 }, () => sample());
  const added = await Promise.all(
    alerts.map((alert, index) => nodes[index % 2]!.addAlert(alert, { bounds })),
  );
  const removed = added.flatMap((one) => one.removed.map(({ alertId }) => alertId));
  expect(new Set(removed).size).toBe(removed.length);
  await nodes[0]!.addAlert(sample(), { bounds });
  expect((await nodes[1]!.listAlerts({ limit: 100 })).items.length).toBe(bounds.alerts);
});

test('a delivery has one node at a time, even after its holder has stopped or is lost', async () => {
  await databases[0]!.run('DELETE FROM alert');
  const one = nodeOn(0);
  const other = nodeOn(1);
  const alert = sample();
  await one.addAlert(alert, { bounds: gatewayBounds });
  expect(idsOf(await one.waitingAlertDeliveries())).toEqual([alert.id]);
  expect(await other.waitingAlertDeliveries()).toEqual([]);
  await one.close();
  const several = await Promise.all(
    [other, nodeOn(0), nodeOn(1)].map((node) => node.waitingAlertDeliveries()),
  );
  expect(several.flatMap(idsOf)).toEqual([alert.id]);
  await databases[0]!.run('UPDATE alert_delivery SET held_until = now_ms()'); // the time has passed
  expect(idsOf(await nodeOn(0).waitingAlertDeliveries())).toEqual([alert.id]);
});

test('a node that was paused attempts no delivery that another one has taken or ended', async () => {
  await databases[0]!.run('DELETE FROM alert');
  const paused = nodeOn(0, 0);
  const other = nodeOn(1);
  const alert = sample();
  const delivery = alert.deliveries[0]!;
  await paused.addAlert(alert, { bounds: gatewayBounds });
  expect(await other.waitingAlertDeliveries()).toHaveLength(1);
  expect(await paused.holdsAlertDelivery(delivery)).toBe(false);
  expect(await other.holdsAlertDelivery(delivery)).toBe(true);
  await paused.saveAlertDelivery({ ...delivery, attempts: 5, error: 'late' });
  expect((await other.findAlert(alert.id))?.deliveries).toEqual([delivery]);
  await paused.saveAlertDelivery({ ...delivery, state: 'delivered', attempts: 1, endedAt: 9 });
  expect(await other.holdsAlertDelivery(delivery)).toBe(false);
  expect(await other.holdsAlertDelivery({ ...delivery, alertId: 'alrt_not_stored' })).toBe(true);
});

test('the balance after a purchase is announced to the other nodes', async () => {
  const one = nodeOn(0);
  const other = nodeOn(1);
  await one.saveCreditMark('acct_a', 5);
  expect(await other.creditMark('acct_a')).toBe(5);
  expect(await other.creditMark('acct_b')).toBeUndefined();
  const rows = await databases[1]!.all(`SELECT subject FROM change WHERE kind = 'mark'`);
  expect(rows).toEqual([{ subject: 'acct_a' }]);
});

test('a recipient gets as many alerts in an hour as it may, also from nodes at the same time', async () => {
  await databases[0]!.run('DELETE FROM alert');
  const nodes = [nodeOn(0), nodeOn(1)];
  const bounds = { ...gatewayBounds, rate: 5, rateMs: 1_000 };
  const added = await Promise.all(
    Array.from({ length: 15 }, (_, index) => nodes[index % 2]!.addAlert(sample(), { bounds })),
  );
  const due = added.flatMap(({ deliveries }) => deliveries.map(({ nextAt }) => nextAt)).sort();
  expect(due).toEqual([1_000, 2_000, 3_000].flatMap((at) => Array(5).fill(at)));
});
