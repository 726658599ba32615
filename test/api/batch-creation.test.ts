import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { batchClient, flavors, messagesFlavor } from '../support/batch-client.ts';
import type { Answer, Json } from '../support/call.ts';
import { expectMessagesError } from '../support/expect-messages-error.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

const upstream = startRecordingUpstream();
const server = await startServer({ config: sampleConfig(upstream.url) });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const { key } = await server.createKey('enterprise');
const SMALL = 'test-small';
let release = () => {};
/** Nothing is answered until `release` is called. */
function holdAll(): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  release = resolve;
  upstream.answer('hidden-test-small', async (request) => promise.then(() => answerWell(request)));
}
afterEach(() => {
  release();
  upstream.answer('hidden-test-small', answerWell);
});

const repeated = (count: number) => Array.from({ length: count }, () => SMALL);

describe.each(flavors)('$name', (flavor) => {
  const client = batchClient(server, { flavor, key });
  const ids = { messages: 'msgbatch_', chat: 'batch_' };

  function expectInvalid(answer: Answer, param: string): string {
    if (flavor.name === 'chat') return expectRefusal(answer, 400, 'invalid_request', param).message;
    const message = expectMessagesError(answer, 400, ['invalid_request_error', 'invalid_request']);
    expect(message).toStartWith(param);
    return message;
  }

  test('creates a batch at once and runs its items afterwards [BAT-01] [BAT-02] [BAT-03] [BAT-04] [BAT-49] [BAT-51] [BAT-52] [BAT-53] [BAT-38]', async () => {
    holdAll();
    const batch = await client.create(repeated(3));
    const label = flavor.name === 'messages' ? { type: 'message_batch' } : { object: 'batch' };
    const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(batch).toEqual({
      id: expect.stringMatching(new RegExp(`^${ids[flavor.name]}[0-9A-Za-z]{22}$`)),
      ...label,
      processing_status: 'in_progress',
      request_counts: { processing: 3, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
      created_at: iso,
      expires_at: iso,
      ended_at: null,
      cancel_initiated_at: null,
      archived_at: null,
      results_url: null,
      processing_mode: 'standard',
    });
    expect(Date.parse(batch.expires_at) - Date.parse(batch.created_at)).toBe(86_400_000);
    expect(await client.view(batch.id)).toEqual(batch);
    release();
    const ended = await client.ended(batch.id);
    expect(ended).toMatchObject({
      processing_status: 'ended',
      ended_at: iso,
      request_counts: { succeeded: 3 },
    });
    expect(Object.keys(ended)).toEqual(Object.keys(batch));
  });

  test('returns the same object from create, view and cancel [BAT-07] [BAT-50]', async () => {
    holdAll();
    const batch = await client.create([SMALL]);
    const view = await client.view(batch.id);
    const canceled = await client.cancel(batch.id);
    expect([view, canceled.body].map(Object.keys)).toEqual([Object.keys(batch), Object.keys(batch)]);
  });

  test('accepts 1 to 1,000 items [BAT-25] [BAT-26] [BAT-27]', async () => {
    const batch = await client.create(repeated(1_000));
    expect(batch.request_counts.processing).toBe(1_000);
    await client.ended(batch.id, 30_000);
    expectInvalid(await client.post({ requests: client.items(repeated(1_001)) }), 'requests');
    expectInvalid(await client.post({ requests: [] }), 'requests');
    expectInvalid(await client.post({}), 'requests');
    expectInvalid(await client.post({ requests: {} }), 'requests');
    expectInvalid(await client.post({ requests: [1] }), 'requests[0]');
  }, 40_000);

  test('accepts an item of at most 102,400 bytes as sent [BAT-28] [BAT-29]', async () => {
    const itemOf = (bytes: number) => {
      const [item] = client.items([SMALL], { user: '' });
      const missing = bytes - Buffer.byteLength(JSON.stringify(item));
      item.params.user = 'é'.repeat(Math.floor(missing / 2)) + 'x'.repeat(missing % 2);
      return item;
    };
    const fits = itemOf(102_400);
    expect(Buffer.byteLength(JSON.stringify(fits))).toBe(102_400);
    const made = await client.post({ requests: [fits] });
    expect(made.status).toBe(200);
    expect(await client.ended(made.body.id)).toMatchObject({ request_counts: { succeeded: 1 } });
    expectInvalid(await client.post({ requests: [itemOf(102_401)] }), 'requests[0]');
    const spaced = JSON.stringify({ requests: [fits] }).replace('"params":', '"params" :');
    expectInvalid(await client.post(spaced), 'requests[0]');
  });

  test('requires a unique custom_id of 1 to 64 allowed characters [BAT-30] [BAT-31] [BAT-32] [BAT-33]', async () => {
    const named = (...names: unknown[]) => ({
      requests: names.map((custom_id) => ({ custom_id, params: flavor.params(SMALL) })),
    });
    const all = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
    for (const body of [named('a', all), named('a')]) {
      const made = await client.post(body);
      expect(made.status).toBe(200);
      await client.ended(made.body.id);
    }
    for (const wrong of ['', 'x'.repeat(65), 'a b', 'a.b', 'é', 7, null])
      expectInvalid(await client.post(named('a', 'b', 'c', wrong)), 'requests[3].custom_id');
    expectInvalid(await client.post(named('a', 'b', 'a')), 'requests[2].custom_id');
    const { custom_id: _, ...nameless } = client.items([SMALL])[0];
    const [one, two, three] = client.items(repeated(3));
    expectInvalid(await client.post({ requests: [one, two, three, nameless] }), 'requests[3].custom_id');
    expectInvalid(await client.post(named('__proto__', 'constructor', '__proto__')), 'requests[2].custom_id');
  });

  test('requires params to be an object without streaming [BAT-34] [BAT-35]', async () => {
    const item = (rest: Json) => ({ requests: [{ custom_id: 'a', ...rest }] });
    expectInvalid(await client.post(item({})), 'requests[0].params');
    for (const params of [null, 'text', [], 3])
      expectInvalid(await client.post(item({ params })), 'requests[0].params');
    const streaming = item({ params: flavor.params(SMALL, { stream: true }) });
    expectInvalid(await client.post(streaming), 'requests[0].params.stream');
    const whole = await client.post(item({ params: flavor.params(SMALL, { stream: false }) }));
    expect(whole.status).toBe(200);
  });

  test('reports the first of several faults in the body without creating a batch', async () => {
    const before = (await client.list('?limit=1')).body.first_id;
    const [good] = client.items([SMALL]);
    const large = { custom_id: 'large', params: flavor.params(SMALL, { user: 'x'.repeat(102_400) }) };
    const wrong = { params: 1, custom_id: '' };
    expectInvalid(await client.post({ requests: [good, wrong, large] }), 'requests[1].params');
    expectInvalid(await client.post({ requests: [good, large, wrong] }), 'requests[1]');
    expectInvalid(await client.post({ lane: 'x', requests: [wrong] }), 'lane');
    expectInvalid(await client.post({ requests: [wrong], lane: 'x' }), 'requests[0].params');
    const twice = JSON.stringify({ requests: [good] }).replace('"custom_id"', '"custom_id":"b","custom_id"');
    expect((await client.post(twice)).status).toBe(400);
    expect((await client.list('?limit=1')).body.first_id).toBe(before);
  });

  test('accepts four modes, under one of two names [BAT-37] [BAT-38] [BAT-39] [BAT-40] [BAT-63]', async () => {
    for (const mode of ['standard', 'flex', 'native-preferred']) {
      const batch = await client.create([SMALL], { fields: { processing_mode: mode } });
      expect(batch.processing_mode).toBe(mode);
      expect(await client.ended(batch.id)).toMatchObject({
        request_counts: { succeeded: 1 },
        processing_mode: mode,
      });
    }
    const aliased = await client.create([SMALL], { fields: { lane: 'flex', processing_mode: 'flex' } });
    expect(aliased.processing_mode).toBe('flex');
    expect((await client.create([SMALL], { fields: { lane: 'flex' } })).processing_mode).toBe('flex');
    const requests = client.items([SMALL]);
    expectInvalid(await client.post({ requests, processing_mode: 'turbo' }), 'processing_mode');
    expectInvalid(await client.post({ requests, lane: 3 }), 'lane');
    expectInvalid(
      await client.post({ requests, lane: 'flex', processing_mode: 'standard' }),
      'processing_mode',
    );
    expectInvalid(await client.post({ requests, processing_mode: 'flex', lane: 'standard' }), 'lane');
  });

  test('refuses a batch that requires native processing if no provider has it [BAT-41]', async () => {
    const answer = await client.post({ requests: client.items([SMALL]), processing_mode: 'native-required' });
    if (flavor.name === 'chat') expectRefusal(answer, 422, 'native_batch_unavailable');
    else expectMessagesError(answer, 422, ['invalid_request_error', 'native_batch_unavailable']);
  });

  test('refuses batches in pay-as-you-go mode, set by header or by key [BAT-42]', async () => {
    const payg = await server.createKey('pro', { payg: true });
    await server.purchase(payg.account, 10);
    const paying = batchClient(server, { flavor, key: payg.key });
    const expectRefused = (answer: Answer) => {
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'payg_batch_not_supported' } } });
    };
    expectRefused(await paying.post({ requests: paying.items([SMALL]) }));
    const byHeader = { 'x-svc-payment-mode': 'payg' };
    expectRefused(await client.post({ requests: client.items([SMALL]) }, byHeader));
    const back = await paying.post(
      { requests: paying.items([SMALL]) },
      { 'x-svc-payment-mode': 'subscription' },
    );
    expect(back.status).toBe(200);
  });

  test('refuses the creation if the account has no credits left [BAT-66]', async () => {
    const free = await server.createKey('free', {});
    await server.admin('PATCH', `/accounts/${free.account}`, { plan_overrides: { credits: 0 } });
    const answer = await batchClient(server, { flavor, key: free.key }).post({
      requests: client.items([SMALL]),
    });
    expect(answer).toMatchObject({ status: 402, body: { error: { code: 'credit_used_up' } } });
  });

  test('takes the key from the header of its dialect', async () => {
    const other = flavors.find((one) => one !== flavor)!;
    const answer = await server.call(flavor.path, { headers: other.headers(key) });
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } });
    expect((await server.call(flavor.path)).body.error.code).toBe('missing_api_key');
  });

  test('counts creations against the request limit, but not items', async () => {
    const free = await server.createKey('free');
    const few = batchClient(server, { flavor, key: free.key });
    const first = await few.post({ requests: few.items(repeated(40)) });
    const { headers } = first;
    expect({
      status: first.status,
      ratelimitLimitRequests: headers.get('x-ratelimit-limit-requests'),
    }).toEqual({ status: 200, ratelimitLimitRequests: '15' });
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('14');
    expect(await few.ended(first.body.id)).toMatchObject({ request_counts: { succeeded: 40 } });
  });
});

test("refuses OpenAI's own form of a batch with an explanation [BAT-68]", async () => {
  const { headers, path } = flavors[1]!;
  const body = { input_file_id: 'file-1', endpoint: '/v1/chat/completions', completion_window: '24h' };
  const error = expectRefusal(
    await server.call(path, { headers: headers(key), body }),
    400,
    'invalid_request',
    'requests',
  );
  expect(error.message).toContain('`requests`');
});

test('refuses a body of more than 10 MB before any other check', async () => {
  const client = batchClient(server, { flavor: messagesFlavor, key });
  const answer = await client.post({ requests: [], fill: 'x'.repeat(10 * 1024 * 1024) });
  expectMessagesError(answer, 413, ['invalid_request_error', 'body_too_large']);
});
