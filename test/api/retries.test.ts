import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { type Answer, bearer, chatBody, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import {
  answerWell,
  type RecordedRequest,
  startRecordingUpstream,
  streamed,
} from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { ableModel } from '../support/wire-models.ts';

const upstream = startRecordingUpstream();
const simulator = serveSimulator();
let release = Promise.withResolvers<void>();
const models = ['quick', 'slow', 'failing', 'halfway', 'broken'];
upstream.answer('slow', async (request) => {
  await release.promise;
  return answerWell(request);
});
upstream.answer('failing', async () => {
  await release.promise;
  return Response.json({ error: { message: 'no' } }, { status: 400 });
});
/** Streams the first half, waits, and streams the rest. */
const inHalves = (end: (text: string) => string) => async (request: RecordedRequest) => {
  const text = await (await answerWell(request)).text();
  const half = text.indexOf('data:', 20);
  return streamed(
    new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(text.slice(0, half)));
        await release.promise;
        controller.enqueue(new TextEncoder().encode(end(text.slice(half))));
        controller.close();
      },
    }),
  );
};
upstream.answer(
  'halfway',
  inHalves((text) => text),
);
upstream.answer(
  'broken',
  inHalves(() => ''),
);
const config = {
  providers: [
    { id: 'one', wire: 'openai-chat', base_url: upstream.url },
    { id: 'split', wire: 'anthropic-messages', base_url: `${simulator.url}/v1` },
    { id: 'vectors', wire: 'openai-embeddings', base_url: `${simulator.url}/v1` },
  ],
  catalog: {
    default: false,
    models: [
      ...models.map((id) => ableModel(id, [{ provider: 'one', model: id }])),
      // This wire has no several answers, so each is asked for in a request of its own.
      ableModel('split', [{ provider: 'split', model: 'split' }]),
      ableModel('vectors', [{ provider: 'vectors', model: 'vectors' }], {
        kind: 'embedding',
        output_dimensions: 8,
      }),
    ],
  },
  plans: wideLimits,
  limits: { replay_mb: 0.1, resume_grace_s: 2 },
  retention: { replays_s: 600 },
};
const dataDirectory = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
const start = () => startServer({ config, dataDirectory, environment: { TOLLGATE_TEST_CLOCK: '1' } });
let server = await start();
afterAll(async () => {
  release.resolve();
  await server.stop();
  await upstream.stop();
  await simulator.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});

const keyed = await server.createKey('pro', { retries: 'keyed' });
const joining = await server.createKey('pro', { retries: 'join' });
const plain = await server.createKey('pro');
let serial = 0;
type Sent = { key?: string; id?: string; retry?: number; body?: Json; path?: string; signal?: AbortSignal };
const send = (model: string, sent: Sent = {}): Promise<Answer> =>
  server.call(sent.path ?? '/v1/chat/completions', {
    headers: {
      ...bearer(sent.key ?? keyed.key),
      ...(sent.id !== undefined && { 'idempotency-key': sent.id }),
      ...(sent.retry !== undefined && { 'x-stainless-retry-count': String(sent.retry) }),
    },
    body: sent.body ?? chatBody(model),
    ...(sent.signal && { signal: sent.signal }),
  });
const calls = (model: string) => upstream.requests.filter(({ body }) => body.model === model).length;
const entries = async (account: string): Promise<number> =>
  (await server.admin('GET', `/accounts/${account}/ledger?limit=1000`)).body.data.filter(
    ({ kind }: Json) => kind === 'usage',
  ).length;
const idOf = ({ headers }: Answer) => headers.get('x-svc-request-id');
function expectReplay(replay: Answer, first: Answer): void {
  expect(replay.status).toEqual(first.status);
  expect(replay.text).toEqual(first.text);
  expect(replay.headers.get('content-type')).toBe(first.headers.get('content-type'));
  expect(replay.headers.get('idempotency-replayed')).toBe('true');
  expect(replay.headers.get('x-svc-replay-of')).toBe(idOf(first));
  expect(idOf(replay)).not.toBe(idOf(first));
}
const fresh = () => `key-${serial++}`;
const unread = (text: string) => text.replaceAll(/^: .*\n\n/gm, '');

test.each([
  ['/v1/chat/completions', chatBody('quick')],
  ['/v1/chat/completions', chatBody('quick', { stream: true })],
  ['/v1/messages', { ...chatBody('quick'), max_tokens: 9 }],
  ['/v1/messages', { ...chatBody('quick'), max_tokens: 9, stream: true }],
  ['/v1/responses', { model: 'quick', input: 'hi', store: false }],
  ['/v1/responses', { model: 'quick', input: 'hi', stream: true }],
  ['/v1/responses/compact', { model: 'quick', input: 'hi' }],
  ['/v1/completions', { model: 'quick', prompt: 'hi' }],
  ['/v1/embeddings', { model: 'vectors', input: 'hi' }],
  ['/v1/chat/completions', chatBody('split', { n: 2 })],
  ['/v1/chat/completions', chatBody('split', { n: 2, stream: true })],
])('a second request with the key of a finished one on %s gets its answer, byte for byte [RTY-01] [RTY-02] [RTY-10]', async (path, body) => {
  const id = fresh();
  const billed = await entries(keyed.account);
  const first = await send('quick', { path, body, id });
  const made = upstream.requests.length + simulator.requests().length;
  expect(first.status, first.text).toBe(200);
  expect(first.headers.has('idempotency-replayed')).toBe(false);
  const turned = Object.fromEntries(Object.entries(body).reverse());
  const again = await send('quick', { path, body: turned, id });
  expectReplay(again, { ...first, text: unread(first.text) });
  expect(upstream.requests.length + simulator.requests().length).toBe(made);
  expect((await entries(keyed.account)) - billed).toBe(1);
  await waitFor(async () => (await server.admin('GET', `/requests/${idOf(again)}`)).status === 200);
  const { body: record } = await server.admin('GET', `/requests/${idOf(again)}`);
  expect(record.replay_of).toBe(idOf(first));
});

test('another body, key, path or account has no part in the answer [RTY-03] [RTY-04] [RTY-05]', async () => {
  const id = fresh();
  const first = await send('quick', { id });
  expect(first.status, first.text).toBe(200);
  const other = await send('quick', { id, body: chatBody('quick', { user: 'another' }) });
  expectRefusal(other, 409, 'idempotency_conflict');
  const sibling = await server.createKey('pro', { account: keyed.account, retries: 'keyed' });
  for (const other of [
    { key: sibling.key },
    { key: plain.key },
    { path: '/v1/messages', body: { ...chatBody('quick'), max_tokens: 9 } },
  ])
    expect((await send('quick', { id, ...other })).headers.has('idempotency-replayed')).toBe(false);
  for (const wrong of ['', 'x'.repeat(201)])
    expectRefusal(await send('quick', { id: wrong }), 400, 'invalid_request', 'Idempotency-Key');
  expect((await send('quick', { id: 'x'.repeat(201), key: plain.key })).status).toBe(200);
  const rotated = await server.admin('POST', `/keys/${keyed.id}/rotate`, { overlap_s: 60 });
  if (rotated.status < 300) expectReplay(await send('quick', { id, key: rotated.body.key }), first);
});

test('requests with one key that come while the first runs share its call and its failure [RTY-06] [RTY-07]', async () => {
  for (const [model, stream] of [
    ['slow', false],
    ['slow', true],
    ['halfway', true],
    ['failing', false],
    ['failing', true],
  ] as const) {
    release = Promise.withResolvers();
    const id = fresh();
    const body = chatBody(model, { stream });
    const before = calls(model);
    const billed = await entries(keyed.account);
    const sending = Array.from({ length: 8 }, () => send(model, { id, body }));
    await waitFor(() => calls(model) > before);
    await Bun.sleep(150);
    release.resolve();
    const answers = await Promise.all(sending);
    const first = answers.find(({ headers }) => !headers.has('idempotency-replayed'))!;
    for (const answer of answers)
      if (answer !== first) expectReplay(answer, { ...first, text: unread(first.text) });
    expect(calls(model) - before).toBe(1);
    const isFailure = model === 'failing';
    expect(first.status).toBe(isFailure ? 400 : 200);
    expect((await entries(keyed.account)) - billed).toBe(isFailure ? 0 : 1);
    const next = await send(model, { id, body });
    expect(calls(model) - before).toBe(isFailure ? 2 : 1);
    expect(next.headers.has('idempotency-replayed')).toBe(!isFailure);
  }
});

test('a stream that ends with an error is not kept, and those who have joined get its error [RTY-07]', async () => {
  release = Promise.withResolvers();
  const id = fresh();
  const body = chatBody('broken', { stream: true });
  const sending = [send('broken', { id, body }), send('broken', { id, body })];
  await waitFor(() => calls('broken') > 0);
  await Bun.sleep(150);
  release.resolve();
  const [one, two] = await Promise.all(sending);
  expect(one!.text).toContain('"error"');
  expect(two!.text).toBe(one!.text);
  const before = calls('broken');
  await send('broken', { id, body });
  expect(calls('broken')).toBeGreaterThan(before);
});

test('a client that leaves and retries with its key pays for one call', async () => {
  for (const stream of [false, true]) {
    release = Promise.withResolvers();
    const id = fresh();
    const body = chatBody('slow', { stream });
    const before = calls('slow');
    const billed = await entries(keyed.account);
    const leaving = new AbortController();
    const left = send('slow', { id, body, signal: leaving.signal }).catch(() => undefined);
    await waitFor(() => calls('slow') > before);
    leaving.abort();
    await left;
    const again = send('slow', { id, body });
    await Bun.sleep(100);
    release.resolve();
    expect((await again).headers.get('idempotency-replayed')).toBe('true');
    expect(calls('slow') - before).toBe(1);
    expect((await entries(keyed.account)) - billed).toBe(1);
  }
});

test('a request whose client stays away is canceled after the grace [RTY-11]', async () => {
  release = Promise.withResolvers();
  const before = upstream.requests.length;
  const leaving = new AbortController();
  const left = send('slow', { id: fresh(), signal: leaving.signal }).catch(() => undefined);
  await waitFor(() => upstream.requests.length > before);
  leaving.abort();
  await left;
  const { aborted } = upstream.requests.at(-1)!;
  await Bun.sleep(1_000);
  expect(aborted()).toBe(false);
  await waitFor(aborted);
  release.resolve();
});

test('a storm of retries of an SDK against a slow upstream makes one call for each request [RTY-08]', async () => {
  release = Promise.withResolvers();
  const before = calls('slow');
  const billed = await entries(joining.account);
  const client = new OpenAI({
    apiKey: joining.key,
    baseURL: `${server.url}/v1`,
    maxRetries: 8,
    timeout: 700,
  });
  const asking = Array.from({ length: 6 }, (_, index) =>
    client.chat.completions.create({
      model: 'slow',
      messages: [{ role: 'user', content: `number ${index}` }],
    }),
  );
  await Bun.sleep(2_500);
  release.resolve();
  const answers = await Promise.all(asking);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(6);
  expect(calls('slow') - before).toBe(6);
  expect((await entries(joining.account)) - billed).toBe(6);
}, 60_000);

test('equal requests that were sent on purpose share nothing [RTY-09]', async () => {
  const sent = { key: joining.key };
  const before = calls('quick');
  await Promise.all([send('quick', sent), send('quick', sent)]);
  // Its client has got the answer, so a retry of it is another request.
  await Bun.sleep(100);
  await send('quick', { ...sent, retry: 1 });
  expect(calls('quick') - before).toBe(3);
});

test('recorded answers stay within their bound by the removal of the oldest [RTY-13]', async () => {
  const body = chatBody('quick', { user: 'bound' });
  const ids = Array.from({ length: 50 }, fresh);
  for (const id of ids) await send('quick', { id, body });
  expect((await send('quick', { id: ids.at(-1)!, body })).headers.has('idempotency-replayed')).toBe(true);
  expect((await send('quick', { id: ids[0]!, body })).headers.has('idempotency-replayed')).toBe(false);
});

test('a revoked key and a suspended account get no answers again', async () => {
  const own = await server.createKey('pro', { retries: 'keyed' });
  const revoked = await server.createKey('pro', { retries: 'keyed' });
  const id = fresh();
  for (const { key } of [own, revoked]) {
    const first = await send('quick', { id, key });
    expectReplay(await send('quick', { id, key }), first);
  }
  await server.admin('PATCH', `/accounts/${own.account}`, { status: 'suspended' });
  await server.admin('DELETE', `/keys/${revoked.id}`);
  expectRefusal(await send('quick', { id, key: own.key }), 403, 'account_suspended');
  expectRefusal(await send('quick', { id, key: revoked.key }), 401, 'revoked_api_key');
});

test('a response in the background is begun once [RTY-16]', async () => {
  const id = fresh();
  const before = calls('quick');
  const body = { model: 'quick', input: 'once', background: true };
  const first = await send('quick', { path: '/v1/responses', body, id });
  expect(first.body.status).toBe('queued');
  expectReplay(await send('quick', { path: '/v1/responses', body, id }), first);
  await waitFor(() => calls('quick') > before);
  await Bun.sleep(100);
  expect(calls('quick') - before).toBe(1);
});

test('the stream of an interaction in the background is followed again', async () => {
  const id = fresh();
  const body = { model: 'quick', input: 'once', background: true, stream: true };
  const interactions = `/v1/interactions?key=${keyed.key}`;
  const first = await send('quick', { path: interactions, body, id });
  expect(first.text).toContain('interaction_');
  const again = await send('quick', { path: interactions, body, id });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.text).toBe(first.text);
});

test('an answer outlives a crash after its end, and what a crash left is made again and billed once [RTY-14] [RTY-15]', async () => {
  const id = fresh();
  const whole = await send('quick', { id });
  const streamId = fresh();
  const body = chatBody('halfway', { stream: true });
  release = Promise.withResolvers();
  const before = calls('halfway');
  const cut = send('halfway', { id: streamId, body }).catch(() => undefined);
  await waitFor(() => calls('halfway') > before);
  await Bun.sleep(1_500);
  process.kill(server.pid, 'SIGKILL');
  await cut;
  release.resolve();
  server = await start();
  const billed = await entries(keyed.account);
  expectReplay(await send('quick', { id }), whole);
  const again = await send('halfway', { id: streamId, body });
  expect(again.text).toEndWith('data: [DONE]\n\n');
  expect(calls('halfway') - before).toBe(2);
  expect((await entries(keyed.account)) - billed).toBe(1);
  const { body: verified } = await server.admin('GET', '/ledger/verify');
  expect(verified.faults).toEqual([]);
});

test('an answer is not replayed after its time [RTY-12]', async () => {
  const id = fresh();
  await send('quick', { id });
  await server.admin('POST', '/test/clock', { advance_s: 601 });
  expect((await send('quick', { id })).headers.has('idempotency-replayed')).toBe(false);
});
