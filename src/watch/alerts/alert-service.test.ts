import { expect, test } from 'bun:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import type { WebhookRow } from '../../settings/config/alerts-schema.ts';
import { openSqliteForTest } from '../../store/sqlite/testing/open-sqlite-for-test.ts';
import type { Alert, AlertDelivery } from './alert.ts';
import { AlertService } from './alert-service.ts';
import type { AlertStore } from './alert-store.ts';

const rows: WebhookRow[] = [
  { url: 'https://a.example/hook?key=hidden', secret: 's1', events: null },
  { url: 'https://b.example', secret: 's2', events: ['disk_low'] },
];

function serviceOn(store: AlertStore, webhooks: readonly WebhookRow[] = rows) {
  const taken: { alert: Alert; delivery: AlertDelivery }[] = [];
  const logged: string[] = [];
  const unstored: Alert[] = [];
  const service = new AlertService({
    store,
    unstored: { add: (alert) => void unstored.push(alert) },
    courier: { take: async (alert, delivery) => void taken.push({ alert, delivery }), forget: () => {} },
    webhooks: () => webhooks,
    receiversOf: () => [],
    now: () => 5_000,
    gateway: () => 'https://gateway.example',
    report: (_, event) => void logged.push(event),
    count: () => {},
  });
  return { service, taken, logged, unstored };
}

const news = { event: 'cap_80', message: 'A cap.', data: { key_id: 'key_1' } } as const;
const occasion = { name: 'cap_80 key_1', until: 9_000 };

test('sends an alert to the webhooks that take its event', async () => {
  const { store, dispose } = await openSqliteForTest();
  const { service, taken } = serviceOn(store);
  service.raise(occasion, () => news);
  service.raise({ name: 'disk', until: null }, async () => ({ ...news, event: 'disk_low' }));
  await service.close();
  const hosts = (event: string) =>
    taken.filter(({ alert }) => alert.event === event).map(({ delivery }) => delivery.host);
  expect(hosts('cap_80')).toEqual(['https://a.example']);
  expect(hosts('disk_low').sort()).toEqual(['https://a.example', 'https://b.example']);
  const { alert } = taken.find((each) => each.alert.event === 'cap_80')!;
  expect(JSON.parse(alert.body)).toEqual({
    id: alert.id,
    event: 'cap_80',
    severity: 'warning',
    created_at: '1970-01-01T00:00:05.000Z',
    gateway: 'https://gateway.example',
    message: 'A cap.',
    data: { key_id: 'key_1' },
  });
  await dispose();
});

test('reports an occasion once, even in a later process', async () => {
  const { store, dispose } = await openSqliteForTest();
  const first = serviceOn(store);
  let made = 0;
  const count = () => {
    made++;
    return news;
  };
  first.service.raise(occasion, count);
  first.service.raise(occasion, count);
  await first.service.close();
  expect({ made, length: first.taken.length, hasRaised: first.service.hasRaised(occasion.name) }).toEqual({
    made: 1,
    length: 1,
    hasRaised: true,
  });
  const second = serviceOn(store);
  second.service.raise(occasion, () => news);
  await second.service.close();
  expect({ taken: second.taken, hasRaised: second.service.hasRaised(occasion.name) }).toEqual({
    taken: [],
    hasRaised: true,
  });
  await dispose();
});

test('keeps an alert without a webhook for the list only', async () => {
  const { store, dispose } = await openSqliteForTest();
  const { service } = serviceOn(store, []);
  service.raise(occasion, () => news);
  await service.close();
  expect((await store.listAlerts({ limit: 5 })).items).toMatchObject([{ event: 'cap_80', deliveries: [] }]);
  expect(await service.test()).toBeUndefined();
  await dispose();
});

test('sends an alert that cannot be stored', async () => {
  const broken = partial<AlertStore>({ addAlert: () => Promise.reject(new Error('disk full')) });
  const { service, taken, logged, unstored } = serviceOn(broken);
  service.raise(occasion, () => news);
  await waitFor(() => taken.length === 1);
  expect(logged).toEqual(['alert-not-stored', 'alert']);
  expect(unstored.map(({ event }) => event)).toEqual(['cap_80']);
  await service.close();
});

test('raises an occasion again if its news could not be made', async () => {
  const { store, dispose } = await openSqliteForTest();
  const { service, taken, logged } = serviceOn(store);
  service.raise(occasion, () => Promise.reject(new Error('store away')));
  await service.close();
  service.raise(occasion, () => news);
  await service.close();
  expect({ logged, length: taken.length }).toEqual({ logged: ['alert-failed', 'alert'], length: 1 });
  await dispose();
});
