import { expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '../../src/base/lib/units.ts';
import { chatFlavor } from '../support/batch-client.ts';
import type { Json } from '../support/call.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { areSubmissionsKept, nativeModel } from '../support/native-gateway.ts';
import { openNativeCredits, repeated } from '../support/open-native-credits.ts';
import { isOnPostgres } from '../support/postgres/database-of.ts';
import { waitFor } from '../support/wait-for.ts';

const {
  upstream,
  config,
  dataDirectory,
  server,
  sentItems,
  fillStore,
  advance,
  clientOf,
  createBatch,
  createKey,
  chargesOf,
  accountOf,
  expectSettledLedger,
} = await openNativeCredits();

test('delivers and charges a finished item at the terms of its admission, despite later changes', async () => {
  const key = await createKey(10);
  const cycle_started_at = new Date(Date.now() + 5 * HOUR_MS - 30 * DAY_MS).toISOString();
  await server().admin('PATCH', `/accounts/${key.account}`, { cycle_started_at });
  const client = clientOf(key, chatFlavor);
  const ids = [
    await createBatch(client, { model: 'claude', count: 2 }),
    await createBatch(client, { model: 'gpt', count: 2, fields: { n: 2 } }),
  ];
  await waitFor(() => sentItems() === 4);
  const models = [nativeModel('gpt', 'openai-chat', { pricing_usd_per_mtok: { input: 90, output: 90 } })];
  server().configure({ ...config, catalog: { ...config.catalog, models } } as Json);
  expect((await server().reload()).status).toBe(200);
  await server().admin('PATCH', `/accounts/${key.account}`, { plan_overrides: null, plan: 'free' });
  await server().admin('PATCH', `/accounts/${key.account}`, { status: 'suspended' });
  await server().admin('DELETE', `/keys/${key.id}`);
  await advance(10 * 3_600);
  upstream.endAll();
  const viewOf = async (id: string): Promise<Json> => (await server().admin('GET', `/batches/${id}`)).body;
  for (const id of ids) {
    await waitFor(async () => (await viewOf(id)).processing_status === 'ended');
    expect((await viewOf(id)).request_counts).toMatchObject({ succeeded: 2 });
  }
  expect(await chargesOf(key)).toEqual(repeated(4));
  server().configure(config);
  expect((await server().reload()).status).toBe(200);
  await expectSettledLedger();
});

test('bills an item to the cycle of its admission if its answer arrives in the next cycle', async () => {
  const key = await createKey(10);
  const now = Date.parse((await advance(1)).body.now);
  const cycle_started_at = new Date(now - 27.5 * DAY_MS).toISOString();
  await server().admin('PATCH', `/accounts/${key.account}`, { cycle_started_at });
  const { cycle_ends_at } = await accountOf(key);
  await advance(Math.floor((Date.parse(cycle_ends_at) - now) / 1_000) - 3_600);
  const client = clientOf(key);
  const id = await createBatch(client, { count: 2 });
  await waitFor(() => sentItems() === 2);
  await advance(2 * 3_600);
  upstream.endAll();
  expect((await client.ended(id)).request_counts).toMatchObject({ succeeded: 2 });
  expect((await accountOf(key)).credits.used).toBe(0);
  const entries = await usageEntries(server(), key.account);
  expect(entries.map(({ microcredits }) => microcredits)).toEqual(repeated(2));
  for (const { at } of entries) expect(Date.parse(at)).toBeLessThan(Date.parse(cycle_ends_at));
  await expectSettledLedger();
});

// The fault is in the files of the embedded store.
test.skipIf(isOnPostgres)(
  'delivers and charges an answer once if it arrives while the store accepts no writes',
  async () => {
    for (const model of ['claude', 'gpt']) {
      upstream.forget();
      const key = await createKey(100);
      const client = clientOf(key, chatFlavor);
      const id = await createBatch(client, { model, count: 20 });
      await waitFor(() => sentItems() === 20);
      await waitFor(() => areSubmissionsKept(dataDirectory));
      const freeStore = fillStore();
      const polled = upstream.calls.length;
      upstream.endAll();
      await waitFor(() => upstream.calls.slice(polled).some((one) => /results|content/.test(one)));
      // The answer now meets the full store.
      await Bun.sleep(100);
      freeStore();
      expect((await client.ended(id, 30_000)).request_counts).toMatchObject({ succeeded: 20 });
      expect({ sentItems: sentItems(), charges: await chargesOf(key) }).toEqual({
        sentItems: 20,
        charges: repeated(20),
      });
      await expectSettledLedger();
    }
  },
  90_000,
);
