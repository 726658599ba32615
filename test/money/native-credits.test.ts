import { describe, expect, test } from 'bun:test';
import { type BatchClient, chatFlavor, flavors, messagesFlavor } from '../support/batch-client.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { isLong } from '../support/is-long.ts';
import { areSubmissionsKept, nativeItems, nativeModels } from '../support/native-gateway.ts';
import { nativeMode, openNativeCredits, repeated } from '../support/open-native-credits.ts';
import { countRows, storeRows } from '../support/store-rows.ts';
import { waitFor } from '../support/wait-for.ts';

const {
  upstream,
  dataDirectory,
  server,
  sentItems,
  restart,
  advance,
  clientOf,
  createBatch,
  createKey,
  call,
  chargesOf,
  accountOf,
  expectSettledLedger,
} = await openNativeCredits();

const codesOf = async (client: BatchClient, id: string): Promise<(string | undefined)[]> =>
  Object.values(await client.lines(id)).map(({ error }) => error?.error.code);

describe.each(flavors)('the $name collection', (flavor) => {
  test.each(
    nativeModels(flavor),
  )('bills and delivers every item that the provider of %s has, although the credits run out with the second [CRD-08]', async (model) => {
    const key = await createKey(1);
    const client = clientOf(key, flavor);
    const id = await createBatch(client, { model, count: 50 });
    await waitFor(() => sentItems() === 50);
    upstream.endAll();
    expect((await client.ended(id)).request_counts).toMatchObject({ succeeded: 50, errored: 0 });
    expect(await chargesOf(key)).toEqual(repeated(50));
    expect((await accountOf(key)).credits).toMatchObject({ limit: 1, used: 25 });
    expect(sentItems()).toBe(50);
    const { status, body } = await client.post({ requests: client.items([model]), ...nativeMode });
    expect({ status, code: body.error.code }).toEqual({ status: 402, code: 'allowance_exhausted' });
    await expectSettledLedger();
  });

  test.each(
    nativeModels(flavor),
  )('refuses items for %s with 402 and does not send them when the credits run out first [BAT-44]', async (model) => {
    const key = await createKey(1);
    const client = clientOf(key, flavor);
    const sending = model === 'claude' ? 'POST /v1/messages/batches' : 'POST /v1/files';
    upstream.failing.set(sending, 1);
    const id = await createBatch(client, { model, count: 5 });
    await waitFor(() => upstream.failing.get(sending) === 0);
    for (let calls = 0; calls < 2; calls++) expect((await call(key)).status).toBe(200);
    await waitFor(async () => {
      await advance(5);
      return (await client.view(id)).processing_status === 'ended';
    });
    expect(await codesOf(client, id)).toEqual(new Array(5).fill('allowance_exhausted'));
    expect({ sentItems: sentItems(), charges: await chargesOf(key) }).toEqual({
      sentItems: 0,
      charges: repeated(2, 600_000),
    });
    await expectSettledLedger();
  });

  test.each(
    nativeModels(flavor),
  )('sends as many items for %s as the cap of the key can hold [CRD-31] [CRD-36]', async (model) => {
    // Two and a half credits: an item may cost one, for its answer, and some for its prompt.
    const key = await server().createKey('max', { monthly_cap_usd: 0.005 });
    const client = clientOf(key, flavor);
    const id = await createBatch(client, { model, count: 50 });
    await waitFor(async () => (await client.view(id)).request_counts.errored === 48);
    await waitFor(() => sentItems() === 2);
    expectRefusal(await call(key, { max_tokens: 1_000 }), 402, 'key_budget_exhausted');
    upstream.endAll();
    expect((await client.ended(id)).request_counts).toMatchObject({ succeeded: 2, errored: 48 });
    const codes = (await codesOf(client, id)).filter((code) => code !== undefined);
    expect(codes).toEqual(new Array(48).fill('key_budget_exhausted'));
    expect(await chargesOf(key)).toEqual(repeated(2));
    expect(sentItems()).toBe(2);
    expect((await call(key, { max_tokens: 100 })).status).toBe(200);
    await expectSettledLedger();
  });
});

test.each([
  'SIGKILL',
  'SIGTERM',
] as const)('a restart by %s restores the holds of submitted items, which are billed once [CRD-36]', async (signal) => {
  const models = isLong ? ['claude', 'gpt'] : [signal === 'SIGKILL' ? 'claude' : 'gpt'];
  for (const model of models) {
    upstream.forget();
    const capped = await server().createKey('max', { monthly_cap_usd: 0.005 });
    const free = await createKey(1);
    const ids = [];
    for (const [key, count] of [
      [capped, 2],
      [free, 120],
    ] as const) {
      ids.push(await createBatch(clientOf(key, chatFlavor), { model, count }));
      await waitFor(() => sentItems() === (key === capped ? 2 : 122));
    }
    await waitFor(() => areSubmissionsKept(dataDirectory));
    await restart(signal);
    expect(server().log()).not.toContain('holds-recovered');
    expectRefusal(await call(capped, { max_tokens: 1_000 }), 402, 'key_budget_exhausted');
    upstream.endAll();
    const counts = [];
    for (const [index, key] of [capped, free].entries())
      counts.push((await clientOf(key, chatFlavor).ended(ids[index]!, 30_000)).request_counts.succeeded);
    expect(counts).toEqual([2, 120]);
    expect(await chargesOf(capped)).toEqual(repeated(2));
    expect(await chargesOf(free)).toEqual(repeated(120));
    expect(sentItems()).toBe(122);
    await expectSettledLedger();
  }
}, 90_000);

test('the missing holds of items that an older version submitted are created at the start', async () => {
  const keys = [await createKey(10), await createKey(10)];
  const ids = [];
  for (const [index, model] of ['claude', 'gpt'].entries())
    ids.push(await createBatch(clientOf(keys[index]!, chatFlavor), { model, count: 3 }));
  await waitFor(() => sentItems() === 6);
  await waitFor(() => areSubmissionsKept(dataDirectory));
  await restart('SIGKILL', async () => {
    expect(await countRows(dataDirectory, 'open_hold')).toBe(6);
    await storeRows(dataDirectory, 'DELETE FROM open_hold');
  });
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
  const key = await server().createKey('max', { monthly_cap_usd: 0.005 });
  const client = clientOf(key);
  const holdsAll = async () => (await call(key, { max_tokens: 1_000 })).status === 402;
  const prompts = ['fail 400', 'expire'];
  const requests = nativeItems(messagesFlavor, ['claude'], { prompts, fields: { max_tokens: 1_000 } });
  const failing = (await client.create([], { fields: { ...nativeMode, requests } })).id;
  await waitFor(() => sentItems() === 2);
  expect(await holdsAll()).toBe(true);
  upstream.endAll();
  expect((await client.ended(failing)).request_counts).toMatchObject({ errored: 1, expired: 1 });
  const canceled = await createBatch(client, { model: 'gpt', count: 2 });
  await waitFor(() => sentItems() === 4);
  expect(await holdsAll()).toBe(true);
  await client.cancel(canceled);
  expect((await client.ended(canceled)).request_counts).toMatchObject({ canceled: 2 });
  const overdue = await createBatch(client, { count: 2 });
  await waitFor(() => sentItems() === 6);
  expect(await holdsAll()).toBe(true);
  await advance(23 * 3_600 + 60);
  expect((await client.ended(overdue)).request_counts).toMatchObject({ expired: 2 });
  expect(await holdsAll()).toBe(false);
  expect((await chargesOf(key)).length).toBe(1);
  await expectSettledLedger();
});
