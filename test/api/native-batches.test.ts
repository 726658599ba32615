import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { batchClient, chatFlavor, type Flavor, flavors, messagesFlavor } from '../support/batch-client.ts';
import type { Json } from '../support/call.ts';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { startNativeUpstream } from '../support/native/start-native-upstream.ts';
import { areSubmissionsKept, nativeConfig, nativeItems, nativeModels } from '../support/native-gateway.ts';
import { HIDDEN } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const upstream = startNativeUpstream();
const dataDirectory = mkdtempSync(join(tmpdir(), 'tollgate-native-'));
const config = nativeConfig(upstream.url);
const start = () => startServer({ config, dataDirectory, environment: { TOLLGATE_TEST_CLOCK: '1' } });
let server = await start();
const { key, account } = await server.createKey('enterprise');
afterAll(async () => {
  await server.stop();
  upstream.stop();
  rmSync(dataDirectory, { recursive: true });
});
beforeEach(() => {
  upstream.forget();
  upstream.endAtOnce(true);
});

const clientOf = (flavor = messagesFlavor) => batchClient(server, { flavor, key });
const native = { processing_mode: 'native-required' };
const created = (path: string) => upstream.calls.filter((call) => call === `POST ${path}`).length;
const submissions = () => created('/v1/messages/batches') + created('/v1/batches');
const items = (flavor: Flavor, models: readonly string[], prompts: readonly string[]) =>
  nativeItems(flavor, models, { prompts });
const advance = (advance_s: number) => server.admin('POST', '/test/clock', { advance_s });

describe.each(flavors)('the $name collection', (flavor) => {
  const text = (result: Json): string =>
    flavor.name === 'messages' ? result.message.content[0].text : result.response.choices[0].message.content;

  test.each(
    nativeModels(flavor),
  )('runs items for %s in native batches, at their price [BAT-60]', async (name) => {
    const client = clientOf(flavor);
    const prompts = ['one', 'two', 'three'];
    const batch = await client.create([], {
      fields: { ...native, requests: items(flavor, [name], prompts) },
    });
    expect(batch.processing_mode).toBe('native-required');
    const ended = await client.ended(batch.id);
    expect(ended.request_counts).toMatchObject({ succeeded: 3 });
    const lines = await client.lines(batch.id);
    expect(
      Object.keys(lines)
        .sort()
        .map((id) => text(lines[id])),
    ).toEqual(prompts.map((one) => `native: ${one}`));
    expectNoTrace(await client.results(batch.id), [upstream.port]);
    expect(submissions()).toBe(1);
    const ledger: Json[] = (await server.admin('GET', `/accounts/${account}/ledger?limit=3`)).body.data;
    expect(ledger.map((entry) => [entry.model, entry.microcredits])).toEqual(
      new Array(3).fill([name, 300_000]),
    );
    await waitFor(() => upstream.calls.some((call) => call.startsWith('DELETE')));
  });
});

test.each([
  'claude',
  'gpt',
])('bounds the usage that native batches of %s report by the window and the ceiling [CRD-43]', async (name) => {
  const client = clientOf();
  const requests = items(messagesFlavor, [name], ['miscount']);
  const batch = await client.create([], { fields: { ...native, requests } });
  expect((await client.ended(batch.id)).request_counts.succeeded).toBe(1);
  const [entry] = (await server.admin('GET', `/accounts/${account}/ledger?limit=1`)).body.data;
  expect(entry).toMatchObject({ model: name, input_tokens: 8_192, output_tokens: 100 });
  expect(entry.receipt.estimated).toBe(true);
  expect((await client.results(batch.id)).text).not.toContain('100000000');
  const provider = `provider="hidden-${name}",model="${name}"`;
  expect((await server.call('/metrics')).text).toContain(`tollgate_implausible_usage_total{${provider}} 1`);
});

test('keeps the content of items of native batches where an operator turned payload logging on', async () => {
  const at = `/accounts/${account}/payload_logging`;
  await server.admin('PATCH', at, { enabled: true });
  const client = clientOf();
  const entries = async () => (await server.admin('GET', `/accounts/${account}/ledger`)).body.data;
  const earlier = new Set((await entries()).map(({ id }: Json) => id));
  const batch = await client.create([], {
    fields: { ...native, requests: items(messagesFlavor, ['claude'], ['recorded']) },
  });
  await client.ended(batch.id);
  const entry = (await entries()).find(({ id }: Json) => !earlier.has(id));
  const content = () => server.admin('GET', `/requests/${entry.id.replace('ent_', 'req_')}/content`);
  await waitFor(async () => (await content()).status === 200);
  const { request, answer } = (await content()).body;
  expect(JSON.parse(request).messages[0].content).toBe('recorded');
  expect(JSON.parse(answer).content[0].text).toBe('native: recorded');
  await server.admin('PATCH', at, { enabled: false });
});

test('splits the items of a batch by provider', async () => {
  const client = clientOf(chatFlavor);
  const requests = items(chatFlavor, ['claude', 'gpt'], ['a', 'b', 'c', 'd']);
  const batch = await client.create([], { fields: { ...native, requests } });
  expect((await client.ended(batch.id)).request_counts.succeeded).toBe(4);
  expect([created('/v1/messages/batches'), created('/v1/batches'), created('/v1/files')]).toEqual([1, 1, 1]);
});

test('refuses a model without native batches, or calls it if native batches are optional [BAT-37] [BAT-41]', async () => {
  const client = clientOf(chatFlavor);
  for (const other of ['plain', 'google']) {
    const requests = items(chatFlavor, ['claude', other], ['a', 'b']);
    const refused = await client.post({ requests, ...native });
    expect(refused).toMatchObject({ status: 422, body: { error: { code: 'native_batch_unavailable' } } });
  }
  const requests = items(chatFlavor, ['claude', 'plain'], ['a', 'b']);
  const batch = await client.create([], { fields: { processing_mode: 'native-preferred', requests } });
  expect((await client.ended(batch.id)).request_counts.succeeded).toBe(2);
  expect(submissions()).toBe(0);
});

test('sends no item with the output ceiling under a name of another protocol [CHT-20]', async () => {
  const names = [
    'max_new_tokens',
    'max_output_tokens',
    'max_tokens_to_sample',
    'maxOutputTokens',
    'num_predict',
  ];
  const foreign = Object.fromEntries(names.map((name) => [name, 90_000]));
  for (const [flavor, model] of [
    [messagesFlavor, 'claude'],
    [chatFlavor, 'gpt'],
  ] as const) {
    const client = clientOf(flavor);
    const requests = nativeItems(flavor, [model], { prompts: ['fine'], fields: foreign });
    const batch = await client.create([], { fields: { ...native, requests } });
    expect((await client.ended(batch.id)).request_counts.succeeded).toBe(1);
  }
  expect(upstream.bodies).toHaveLength(2);
  for (const body of upstream.bodies)
    expect(Object.keys(body).filter((name) => names.includes(name))).toEqual([]);
});

test('reports an invalid item in its own result, at no cost', async () => {
  const client = clientOf();
  const [good, bad] = items(messagesFlavor, ['claude'], ['fine', 'x']);
  const wrong = [
    { custom_id: 'unknown', params: messagesFlavor.params('no-such-model') },
    { custom_id: 'fields', params: { ...(bad as Json).params, messages: 7 } },
    { custom_id: 'refused', params: (items(messagesFlavor, ['claude'], ['fail 400'])[0] as Json).params },
  ];
  const before = (await server.admin('GET', `/accounts/${account}/ledger?limit=1`)).body.first_id;
  const batch = await client.create([], { fields: { ...native, requests: [...wrong, good] } });
  expect((await client.ended(batch.id)).request_counts).toMatchObject({ succeeded: 1, errored: 3 });
  const lines = await client.lines(batch.id);
  const codes = ['unknown', 'fields', 'refused'].map((id) => lines[id].error.error.code);
  expect(codes).toEqual(['unknown_model', 'invalid_request', 'invalid_request']);
  expect(lines['refused'].error.error.message).toBe('max_tokens is too high at [address].');
  const ledger = (await server.admin('GET', `/accounts/${account}/ledger?limit=2`)).body.data;
  expect(ledger[1].id).toBe(before);
});

test.each([
  'claude',
  'gpt',
])('sends retryable items for %s again, and reports the errors of the others', async (name) => {
  const client = clientOf(chatFlavor);
  const prompts = ['fine', 'fail 529', 'expire', 'cancel', 'lose'];
  const batch = await client.create([], {
    fields: { ...native, requests: items(chatFlavor, [name], prompts) },
  });
  await waitFor(async () => {
    await Bun.sleep(100); // between two steps of the clock, the batch goes on
    await advance(61);
    return (await client.view(batch.id)).processing_status === 'ended';
  });
  const lines = await client.lines(batch.id);
  const reported = prompts.map(
    (_, index) => lines[`item-${index}`].error?.error.code ?? lines[`item-${index}`].type,
  );
  expect(reported).toEqual([
    'succeeded',
    'upstream_overloaded',
    'expired',
    'upstream_unavailable',
    'upstream_unavailable',
  ]);
  // Items whose results are read later than others are sent again in a batch of their own.
  const times = prompts.map(
    (prompt) => upstream.bodies.filter((body) => JSON.stringify(body).includes(`"${prompt}"`)).length,
  );
  expect(times).toEqual([1, 6, 1, 6, 6]);
}, 60_000);

test('retries submissions and polls while a provider is unreachable', async () => {
  const client = clientOf();
  upstream.failing.set('POST /v1/messages/batches', 1);
  upstream.failing.set('GET /v1/messages/batches/{id}', 2);
  upstream.failing.set('GET /v1/messages/batches/{id}/results', 1);
  const batch = await client.create([], {
    fields: { ...native, requests: items(messagesFlavor, ['claude'], ['a', 'b']) },
  });
  await waitFor(() => submissions() === 1);
  await Bun.sleep(50);
  await waitFor(async () => {
    await Bun.sleep(20); // between two steps of the clock, the batch goes on
    await advance(5);
    return submissions() >= 2;
  });
  expect((await client.ended(batch.id)).request_counts.succeeded).toBe(2);
  expect(upstream.held().length).toBeLessThan(2);
  // A failed submission and a failed poll, in the provider's own words.
  const said = new RegExp(`"error":"upstream_overloaded: [^"]+: status 503: ${HIDDEN}"`, 'g');
  expect(server.log().match(said)?.length).toBeGreaterThanOrEqual(2);
}, 30_000);

test('delivers the results that still arrive after a cancel at the provider', async () => {
  for (const name of ['claude', 'gpt']) {
    upstream.forget();
    upstream.endAtOnce(false);
    const client = clientOf(chatFlavor);
    const batch = await client.create([], {
      fields: { ...native, requests: items(chatFlavor, [name], ['a', 'b']) },
    });
    await waitFor(() => upstream.taken() === 2);
    expect((await client.cancel(batch.id)).body.processing_status).toBe('canceling');
    expect((await client.ended(batch.id)).request_counts).toMatchObject({ canceled: 2, succeeded: 0 });
    expect(upstream.held().every(({ isCanceled }) => isCanceled)).toBe(true);
  }
});

test('keeps the results of a provider for a batch that was canceled before a restart [BAT-65]', async () => {
  for (const name of nativeModels(chatFlavor)) {
    upstream.forget();
    upstream.endAtOnce(false);
    const client = clientOf(chatFlavor);
    const batch = await client.create([], {
      fields: { ...native, requests: items(chatFlavor, [name], ['a', 'b']) },
    });
    await waitFor(() => upstream.taken() === 2);
    await waitFor(() => areSubmissionsKept(dataDirectory));
    for (const path of ['messages/batches', 'batches'])
      upstream.failing.set(`POST /v1/${path}/{id}/cancel`, 9);
    expect((await client.cancel(batch.id)).body.processing_status).toBe('canceling');
    server.signal('SIGKILL');
    await server.exited;
    await server.stop();
    upstream.endAll();
    server = await start();
    expect((await clientOf(chatFlavor).ended(batch.id)).request_counts.succeeded).toBe(2);
    expect(upstream.taken()).toBe(2);
  }
});

test('does not submit items again after a restart or a crash', async () => {
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    upstream.forget();
    upstream.endAtOnce(false);
    const client = clientOf(chatFlavor);
    const requests = items(
      chatFlavor,
      ['claude', 'gpt'],
      Array.from({ length: 120 }, (_, index) => `p${index}`),
    );
    const batch = await client.create([], { fields: { ...native, requests } });
    await waitFor(() => upstream.taken() === 120);
    await waitFor(() => areSubmissionsKept(dataDirectory));
    const sent = submissions();
    server.signal(signal);
    await server.exited;
    await server.stop();
    server = await start();
    upstream.endAll();
    const after = clientOf(chatFlavor);
    expect((await after.ended(batch.id, 30_000)).request_counts.succeeded).toBe(120);
    expect(submissions()).toEqual(sent);
    expect(upstream.taken()).toBe(120);
  }
  expect((await server.admin('GET', '/ledger/verify')).body.faults).toEqual([]);
}, 90_000);

const CREATIONS = ['POST /v1/messages/batches', 'POST /v1/batches'];

/** Creates a batch with items for both vendors, whose answers to the submissions are lost. */
async function createLosing(how: 'breaks' | 'never') {
  for (const call of CREATIONS) upstream.losing.set(call, { left: 1, how });
  const requests = items(messagesFlavor, ['claude', 'gpt'], ['a', 'b', 'c', 'd']);
  const batch = await clientOf().create([], { fields: { ...native, requests } });
  await waitFor(() => upstream.taken() === 4);
  return batch.id as string;
}

test('finds a batch at both vendors if the answer to its submission breaks off, and sends nothing again', async () => {
  const id = await createLosing('breaks');
  expect((await clientOf().ended(id)).request_counts.succeeded).toBe(4);
  expect(submissions()).toBe(2);
  expect(upstream.taken()).toBe(4);
}, 30_000);

test('finds a batch at both vendors if the server is killed between its submission and the answer', async () => {
  const id = await createLosing('never');
  server.signal('SIGKILL');
  await server.exited;
  await server.stop();
  server = await start();
  expect((await clientOf().ended(id, 30_000)).request_counts.succeeded).toBe(4);
  expect(submissions()).toBe(2);
  expect(upstream.taken()).toBe(4);
  expect((await server.admin('GET', '/ledger/verify')).body.faults).toEqual([]);
}, 60_000);

test('expires and cancels the items that a provider still has at the deadline', async () => {
  upstream.endAtOnce(false);
  const client = clientOf();
  const batch = await client.create([], {
    fields: { ...native, requests: items(messagesFlavor, ['claude'], ['a', 'b']) },
  });
  await waitFor(() => upstream.taken() === 2);
  await advance(23 * 3_600 + 60);
  expect((await client.ended(batch.id)).request_counts.expired).toBe(2);
  await waitFor(() => upstream.held().every(({ isCanceled }) => isCanceled));
});
