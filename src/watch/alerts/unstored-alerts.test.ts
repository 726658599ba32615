import { expect, test } from 'bun:test';
import { newId } from '../../base/lib/ids.ts';
import { openSqliteForTest } from '../../store/sqlite/testing/open-sqlite-for-test.ts';
import type { TrackedAlert } from './alert.ts';
import { gatewayBounds } from './alert-bounds.ts';
import { UnstoredAlerts } from './unstored-alerts.ts';

const sample = (at: number): TrackedAlert => ({
  id: newId('alrt_'),
  at,
  event: 'disk_low',
  body: '{}',
  deliveries: [],
});

test('an alert that the store refused is listed until it can be stored', async () => {
  const { store, dispose } = await openSqliteForTest();
  const state = { isFull: true };
  const unstored = new UnstoredAlerts({
    addAlert: (...added) =>
      state.isFull ? Promise.reject(new Error('disk full')) : store.addAlert(...added),
    listAlerts: store.listAlerts.bind(store),
    findAlert: store.findAlert.bind(store),
  });
  await store.addAlert(sample(1), { bounds: gatewayBounds });
  const second = sample(2);
  const third = sample(3);
  for (const alert of [second, third]) unstored.add(alert, { bounds: gatewayBounds });
  await unstored.retry();
  const times = async (limit: number, after?: string) => {
    const { items, hasMore } = await unstored.list({ limit, ...(after !== undefined && { after }) });
    return [items.map(({ at }) => at), hasMore];
  };
  const expectPages = async () => {
    expect(await times(10)).toEqual([[3, 2, 1], false]);
    expect(await times(2)).toEqual([[3, 2], true]);
    expect(await times(2, second.id)).toEqual([[1], false]);
    expect(await unstored.find(second.id)).toEqual(second);
  };
  await expectPages();
  expect((await store.listAlerts({ limit: 10 })).items).toHaveLength(1);
  state.isFull = false;
  await unstored.retry();
  expect((await store.listAlerts({ limit: 10 })).items).toHaveLength(3);
  await expectPages();
  unstored.close();
  await dispose();
});

test('a page that ends with the last alert has no next page, even if the store has none', async () => {
  const { store, dispose } = await openSqliteForTest();
  const unstored = new UnstoredAlerts(store);
  for (const at of [1, 2]) unstored.add(sample(at), { bounds: gatewayBounds });
  const { items, hasMore } = await unstored.list({ limit: 2 });
  expect({ items: items.map(({ at }) => at), hasMore }).toEqual({ items: [2, 1], hasMore: false });
  unstored.close();
  await dispose();
});
