import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS } from '../../src/base/lib/units.ts';
import { FAULT_VARIABLE } from '../faults/fault.ts';
import {
  type BatchClient,
  batchClient,
  chatFlavor,
  flavors,
  messagesFlavor,
} from '../support/batch-client.ts';
import type { Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { isLong } from '../support/is-long.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { startNativeUpstream } from '../support/native/start-native-upstream.ts';
import {
  areSubmissionsKept,
  nativeConfig,
  nativeItems,
  nativeModel,
  nativeModels,
} from '../support/native-gateway.ts';
import { isOnPostgres } from '../support/postgres/database-of.ts';
import { countRows, storeRows } from '../support/postgres/store-rows.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

/** The upstream counts 1,000 tokens in and 50 out: half a credit natively, and 0.6 by a call. */
const NATIVE_RATES = { input: 0.9, output: 2, cached_input: null };
const NATIVE_COST = 500_000;

const upstream = startNativeUpstream();
const directory = mkdtempSync(join(tmpdir(), 'tollgate-native-credits-'));
const dataDirectory = join(directory, 'data');
const storeFull = join(directory, 'store-full');
const config = nativeConfig(upstream.url, NATIVE_RATES);
const start = () =>
  startServer({
    config,
    dataDirectory,
    environment: {
      TOLLGATE_TEST_CLOCK: '1',
      [FAULT_VARIABLE]: JSON.stringify({ fullWhile: storeFull, spoolFullWhile: storeFull }),
    },
    preload: join(import.meta.dir, '../faults/inject-fault.ts'),
  });
let server = await start();
afterAll(async () => {
  await server.stop();
  upstream.stop();
  rmSync(directory, { recursive: true });
});
beforeEach(() => {
  upstream.forget();
  upstream.endAtOnce(false);
});

async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  server.signal(signal);
  await server.exited;
  await server.stop();
}

const native = { processing_mode: 'native-required' };
const sentItems = upstream.taken;
const advance = (advance_s: number) => server.admin('POST', '/test/clock', { advance_s });
const clientOf = ({ key }: CreatedKey, flavor = messagesFlavor): BatchClient =>
  batchClient(server, { flavor, key });

type Order = { model?: string; count: number; fields?: Json };
async function create(client: BatchClient, { model = 'claude', count, fields = {} }: Order): Promise<string> {
  const prompts = Array.from({ length: count }, (_, index) => `p${index}`);
  const requests = nativeItems(client.flavor, [model], { prompts, fields: { max_tokens: 1_000, ...fields } });
  return (await client.create([], { fields: { ...native, requests } })).id;
}
const codesOf = async (client: BatchClient, id: string): Promise<(string | undefined)[]> =>
  Object.values(await client.lines(id)).map(({ error }) => error?.error.code);
const errorsOf = async (client: BatchClient, id: string) =>
  (await codesOf(client, id)).filter((code) => code !== undefined);
const chargesOf = async ({ account }: CreatedKey): Promise<number[]> =>
  (await usageEntries(server, account)).map(({ microcredits }) => microcredits);
const accountOf = async ({ account }: CreatedKey): Promise<Json> =>
  (await server.admin('GET', `/accounts/${account}`)).body;
const call = ({ key }: CreatedKey, fields: Json = {}) => server.chat(key, 'claude', fields);
const repeated = (count: number, cost = NATIVE_COST): number[] => new Array(count).fill(cost);

async function accountWith(credits: number): Promise<CreatedKey> {
  const key = await server.createKey('max');
  await server.admin('PATCH', `/accounts/${key.account}`, { plan_overrides: { credits } });
  return key;
}

/** Expects that the ledger verifies, and that no hold is left. */
async function expectSettledLedger(): Promise<void> {
  expect((await server.admin('GET', '/ledger/verify')).body.faults).toEqual([]);
  await waitFor(async () => (await countRows(dataDirectory, 'open_hold')) === 0);
}

describe.each(flavors)('the $name collection', (flavor) => {
  test.each(
    nativeModels(flavor),
  )('bills and delivers every item that the provider of %s has, although the credits run out with the second [CRD-08]', async (model) => {
    const key = await accountWith(1);
    const client = clientOf(key, flavor);
    const id = await create(client, { model, count: 50 });
    await waitFor(() => sentItems() === 50);
    upstream.endAll();
    expect((await client.ended(id)).request_counts).toMatchObject({ succeeded: 50, errored: 0 });
    expect(await chargesOf(key)).toEqual(repeated(50));
    expect((await accountOf(key)).credits).toMatchObject({ limit: 1, used: 25 });
    expect(sentItems()).toBe(50);
    const { status, body } = await client.post({ requests: client.items([model]), ...native });
    expect([status, body.error.code]).toEqual([402, 'allowance_exhausted']);
    await expectSettledLedger();
  });

  test.each(
    nativeModels(flavor),
  )('refuses items for %s with 402 and does not send them when the credits run out first [BAT-44]', async (model) => {
    const key = await accountWith(1);
    const client = clientOf(key, flavor);
    const sending = model === 'claude' ? 'POST /v1/messages/batches' : 'POST /v1/files';
    upstream.failing.set(sending, 1);
    const id = await create(client, { model, count: 5 });
    await waitFor(() => upstream.failing.get(sending) === 0);
    for (let calls = 0; calls < 2; calls++) expect((await call(key)).status).toBe(200);
    await waitFor(async () => {
      await advance(5);
      return (await client.view(id)).processing_status === 'ended';
    });
    expect(await codesOf(client, id)).toEqual(new Array(5).fill('allowance_exhausted'));
    expect([sentItems(), await chargesOf(key)]).toEqual([0, repeated(2, 600_000)]);
    await expectSettledLedger();
  });

  test.each(
    nativeModels(flavor),
  )('sends as many items for %s as the cap of the key can hold, and refuses the others with 402 [CRD-31] [CRD-36]', async (model) => {
    // Two and a half credits: an item may cost one, for its answer, and some for its prompt.
    const key = await server.createKey('max', { monthly_cap_usd: 0.005 });
    const client = clientOf(key, flavor);
    const id = await create(client, { model, count: 50 });
    await waitFor(async () => (await client.view(id)).request_counts.errored === 48);
    await waitFor(() => sentItems() === 2);
    expectRefusal(await call(key, { max_tokens: 1_000 }), 402, 'key_budget_exhausted');
    upstream.endAll();
    expect((await client.ended(id)).request_counts).toMatchObject({ succeeded: 2, errored: 48 });
    expect(await errorsOf(client, id)).toEqual(new Array(48).fill('key_budget_exhausted'));
    expect(await chargesOf(key)).toEqual(repeated(2));
    expect(sentItems()).toBe(2);
    expect((await call(key, { max_tokens: 100 })).status).toBe(200);
    await expectSettledLedger();
  });
});

test.each([
  'SIGKILL',
  'SIGTERM',
] as const)('a restart by %s restores the holds of submitted items, and bills each item once [CRD-36]', async (signal) => {
  const models = isLong ? ['claude', 'gpt'] : [signal === 'SIGKILL' ? 'claude' : 'gpt'];
  for (const model of models) {
    upstream.forget();
    const capped = await server.createKey('max', { monthly_cap_usd: 0.005 });
    const free = await accountWith(1);
    const ids = [];
    for (const [key, count] of [
      [capped, 2],
      [free, 120],
    ] as const) {
      ids.push(await create(clientOf(key, chatFlavor), { model, count }));
      await waitFor(() => sentItems() === (key === capped ? 2 : 122));
    }
    await waitFor(() => areSubmissionsKept(dataDirectory));
    await end(signal);
    server = await start();
    expect(server.log()).not.toContain('holds-recovered');
    expectRefusal(await call(capped, { max_tokens: 1_000 }), 402, 'key_budget_exhausted');
    upstream.endAll();
    const counts = [];
    for (const [index, key] of [capped, free].entries())
      counts.push((await clientOf(key, chatFlavor).ended(ids[index]!, 30_000)).request_counts.succeeded);
    expect(counts).toEqual([2, 120]);
    expect([await chargesOf(capped), await chargesOf(free)]).toEqual([repeated(2), repeated(120)]);
    expect(sentItems()).toBe(122);
    await expectSettledLedger();
  }
}, 90_000);

test('creates the missing holds of items that an older version submitted, and bills each item once', async () => {
  const keys = [await accountWith(10), await accountWith(10)];
  const ids = [];
  for (const [index, model] of ['claude', 'gpt'].entries())
    ids.push(await create(clientOf(keys[index]!, chatFlavor), { model, count: 3 }));
  await waitFor(() => sentItems() === 6);
  await waitFor(() => areSubmissionsKept(dataDirectory));
  await end('SIGKILL');
  expect(await countRows(dataDirectory, 'open_hold')).toBe(6);
  await storeRows(dataDirectory, 'DELETE FROM open_hold');
  server = await start();
  await waitFor(async () => (await countRows(dataDirectory, 'open_hold')) === 6);
  upstream.endAll();
  for (const [index, id] of ids.entries()) {
    const client = clientOf(keys[index]!, chatFlavor);
    expect((await client.ended(id)).request_counts).toMatchObject({ succeeded: 3 });
    expect(await chargesOf(keys[index]!)).toEqual(repeated(3));
  }
  expect(sentItems()).toBe(6);
  await expectSettledLedger();
});

test('releases the holds of canceled, failed, expired and lost items [CRD-36]', async () => {
  const key = await server.createKey('max', { monthly_cap_usd: 0.005 });
  const client = clientOf(key);
  const holdsAll = async () => (await call(key, { max_tokens: 1_000 })).status === 402;
  const prompts = ['fail 400', 'expire'];
  const requests = nativeItems(messagesFlavor, ['claude'], { prompts, fields: { max_tokens: 1_000 } });
  const failing = (await client.create([], { fields: { ...native, requests } })).id;
  await waitFor(() => sentItems() === 2);
  expect(await holdsAll()).toBe(true);
  upstream.endAll();
  expect((await client.ended(failing)).request_counts).toMatchObject({ errored: 1, expired: 1 });
  const canceled = await create(client, { model: 'gpt', count: 2 });
  await waitFor(() => sentItems() === 4);
  expect(await holdsAll()).toBe(true);
  await client.cancel(canceled);
  expect((await client.ended(canceled)).request_counts).toMatchObject({ canceled: 2 });
  const overdue = await create(client, { count: 2 });
  await waitFor(() => sentItems() === 6);
  expect(await holdsAll()).toBe(true);
  await advance(23 * 3_600 + 60);
  expect((await client.ended(overdue)).request_counts).toMatchObject({ expired: 2 });
  expect(await holdsAll()).toBe(false);
  expect((await chargesOf(key)).length).toBe(1);
  await expectSettledLedger();
});

test('delivers and charges a finished item at the terms of its admission, despite later changes', async () => {
  const key = await accountWith(10);
  const cycle_started_at = new Date(Date.now() + 5 * HOUR_MS - 30 * DAY_MS).toISOString();
  await server.admin('PATCH', `/accounts/${key.account}`, { cycle_started_at });
  const client = clientOf(key, chatFlavor);
  const ids = [
    await create(client, { model: 'claude', count: 2 }),
    await create(client, { model: 'gpt', count: 2, fields: { n: 2 } }),
  ];
  await waitFor(() => sentItems() === 4);
  const models = [nativeModel('gpt', 'openai-chat', { pricing_usd_per_mtok: { input: 90, output: 90 } })];
  server.configure({ ...config, catalog: { ...config.catalog, models } } as Json);
  expect((await server.reload()).status).toBe(200);
  await server.admin('PATCH', `/accounts/${key.account}`, { plan_overrides: null, plan: 'free' });
  await server.admin('PATCH', `/accounts/${key.account}`, { status: 'suspended' });
  await server.admin('DELETE', `/keys/${key.id}`);
  await advance(10 * 3_600);
  upstream.endAll();
  const viewOf = async (id: string): Promise<Json> => (await server.admin('GET', `/batches/${id}`)).body;
  for (const id of ids) {
    await waitFor(async () => (await viewOf(id)).processing_status === 'ended');
    expect((await viewOf(id)).request_counts).toMatchObject({ succeeded: 2 });
  }
  expect(await chargesOf(key)).toEqual(repeated(4));
  server.configure(config);
  expect((await server.reload()).status).toBe(200);
  await expectSettledLedger();
});

test('bills an item to the cycle of its admission if its answer arrives in the next cycle', async () => {
  const key = await accountWith(10);
  const now = Date.parse((await advance(1)).body.now);
  const cycle_started_at = new Date(now - 27.5 * DAY_MS).toISOString();
  await server.admin('PATCH', `/accounts/${key.account}`, { cycle_started_at });
  const { cycle_ends_at } = await accountOf(key);
  await advance(Math.floor((Date.parse(cycle_ends_at) - now) / 1_000) - 3_600);
  const client = clientOf(key);
  const id = await create(client, { count: 2 });
  await waitFor(() => sentItems() === 2);
  await advance(2 * 3_600);
  upstream.endAll();
  expect((await client.ended(id)).request_counts).toMatchObject({ succeeded: 2 });
  expect((await accountOf(key)).credits.used).toBe(0);
  const entries = await usageEntries(server, key.account);
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
      const key = await accountWith(100);
      const client = clientOf(key, chatFlavor);
      const id = await create(client, { model, count: 20 });
      await waitFor(() => sentItems() === 20);
      await waitFor(() => areSubmissionsKept(dataDirectory));
      writeFileSync(storeFull, '');
      const polled = upstream.calls.length;
      upstream.endAll();
      await waitFor(() => upstream.calls.slice(polled).some((one) => /results|content/.test(one)));
      // The answer now meets the full store.
      await Bun.sleep(100);
      rmSync(storeFull);
      expect((await client.ended(id, 30_000)).request_counts).toMatchObject({ succeeded: 20 });
      expect([sentItems(), await chargesOf(key)]).toEqual([20, repeated(20)]);
      await expectSettledLedger();
    }
  },
  90_000,
);
