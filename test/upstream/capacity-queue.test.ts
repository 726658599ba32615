import { afterAll, beforeEach, expect, test } from 'bun:test';
import { bearer, call, chatBody } from '../support/call.ts';
import {
  answerStatus,
  answerWell,
  startRecordingUpstream,
  type UpstreamAnswer,
} from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const upstream = startRecordingUpstream();
const provider = (id: string, fields = {}) => ({
  id,
  wire: 'openai-chat',
  base_url: upstream.url,
  ...fields,
});
const to = (id: string, model: string) => ({ provider: id, model });

const configOf = (limits: Record<string, unknown>) => ({
  simulator: { mode: 'off' },
  limits,
  providers: [
    provider('narrow', { max_concurrent: 1 }),
    provider('spare', { max_concurrent: 1 }),
    provider('ten', { max_concurrent: 10 }),
  ],
  catalog: {
    default: false,
    models: [
      sampleModel('held', { delivery: 'exact', routes: [to('narrow', 'held')] }),
      sampleModel('shared', { delivery: 'exact', routes: [to('ten', 'shared')] }),
      sampleModel('wide', { delivery: 'exact', routes: [to('narrow', 'wide'), to('spare', 'wide-spare')] }),
    ],
  },
});

const patient = await startServer({ config: configOf({ queue_wait_s: 30 }) });
const hurried = await startServer({ config: configOf({ queue_wait_s: 0.4 }) });
const sharing = await startServer({ config: configOf({ queue_wait_s: 30, free_share: 0.5 }) });
afterAll(async () => {
  await Promise.all([patient.stop(), hurried.stop(), sharing.stop()]);
  await upstream.stop();
});

/** The test releases answers one by one. Each request is identified by its text. */
const order: string[] = [];
const held: (() => void)[] = [];
const hold: UpstreamAnswer = async (request) => {
  order.push(request.body.messages[0].content);
  await new Promise<void>((resolve) => held.push(resolve));
  return answerWell(request);
};
const releaseNext = async () => {
  await waitFor(() => held.length > 0);
  held.shift()!();
};
beforeEach(() => {
  order.length = 0;
  held.length = 0;
  upstream.answer('held', hold);
  upstream.answer('wide', hold);
  upstream.answer('shared', hold);
});

type Server = typeof patient;
const ask = (server: Server, { key, name, model = 'held', signal }: Ask) =>
  call(`${server.url}/v1/chat/completions`, {
    headers: bearer(key),
    body: chatBody(model, { messages: [{ role: 'user', content: name }] }),
    ...(signal && { signal }),
  });
type Ask = { key: string; name: string; model?: string; signal?: AbortSignal };

const queueOf = async (server: Server) => (await server.admin('GET', '/providers/narrow')).body;
const untilQueued = (server: Server, length: number) =>
  waitFor(async () => (await queueOf(server)).queue_length === length);

/** Sends requests one after the other, so that their order of arrival is known. */
async function queueUp(server: Server, asks: Ask[]) {
  const answers = [];
  for (const [index, one] of asks.entries()) {
    answers.push(ask(server, one));
    if (index === 0) await waitFor(() => order.length === 1);
    else await untilQueued(server, index);
  }
  return answers;
}

test('queues requests beyond the slots, answers all, and reports their wait [LIM-33]', async () => {
  const { key } = await patient.createKey('pro');
  const answers = await queueUp(
    patient,
    ['a', 'b', 'c'].map((name) => ({ key, name })),
  );
  expect(await queueOf(patient)).toMatchObject({
    slots_in_use: 1,
    queue_length: 2,
    queue_by_class: { paid: 2, free: 0 },
  });
  for (const _ of answers) await releaseNext();
  const got = await Promise.all(answers);
  expect(got.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(got[0]!.headers.get('x-svc-queue-ms')).toBe('0');
  expect(Number(got[2]!.headers.get('x-svc-queue-ms'))).toBeGreaterThan(0);
  expect(order).toEqual(['a', 'b', 'c']);
  const after = await queueOf(patient);
  expect(after).toMatchObject({ slots_in_use: 0, queue_length: 0 });
  const { paid, free } = after.queue_wait_ms;
  expect(paid.p50).toBeGreaterThan(0);
  expect(paid.p99).toBeGreaterThanOrEqual(paid.p50);
  expect(free.p99).toBeNull();
  const { text } = await patient.call('/metrics');
  expect(text).toContain('tollgate_queue_wait_seconds_count{class="paid",outcome="served"} 2');
});

test('serves paid requests before Free ones, each in order of arrival [LIM-34] [LIM-35] [LIM-36]', async () => {
  const free = await patient.createKey('free');
  const other = await patient.createKey('free');
  const paid = await patient.createKey('starter');
  const answers = await queueUp(patient, [
    { key: paid.key, name: 'holder' },
    { key: free.key, name: 'free-1' },
    { key: other.key, name: 'free-2' },
    { key: paid.key, name: 'paid-1' },
    { key: paid.key, name: 'paid-2' },
  ]);
  for (const _ of answers) await releaseNext();
  await Promise.all(answers);
  expect(order).toEqual(['holder', 'paid-1', 'paid-2', 'free-1', 'free-2']);
});

test('gives Free its configured share of the freed slots [LIM-36]', async () => {
  const free = await sharing.createKey('free');
  const paid = await sharing.createKey('starter');
  const answers = await queueUp(sharing, [
    { key: paid.key, name: 'holder' },
    { key: paid.key, name: 'paid-1' },
    { key: paid.key, name: 'paid-2' },
    { key: paid.key, name: 'paid-3' },
    { key: free.key, name: 'free-1' },
  ]);
  for (const _ of answers) await releaseNext();
  await Promise.all(answers);
  expect(order).toEqual(['holder', 'paid-1', 'free-1', 'paid-2', 'paid-3']);
});

test('gives the next slot to another account if one account holds all slots [LIM-46]', async () => {
  const big = await patient.createKey('pro');
  const small = await patient.createKey('starter');
  const stream = (key: string, name: string) =>
    patient.chat(key, 'shared', { stream: true, messages: [{ role: 'user', content: name }] });
  const queued = async () => (await patient.admin('GET', '/providers/ten')).body.queue_length;
  const answers = Array.from({ length: 30 }, () => stream(big.key, 'big'));
  await waitFor(async () => order.length === 10 && (await queued()) === 20);
  answers.push(stream(small.key, 'small'));
  await waitFor(async () => (await queued()) === 21);
  await releaseNext();
  await waitFor(() => order.length === 11);
  expect(order.at(-1)).toBe('small');
  for (let count = 1; count < answers.length; count++) await releaseNext();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(31).fill(200));
});

test('refuses a request that has queued too long with 503, and with 529 on messages [LIM-37] [ERR-29] [ERR-32]', async () => {
  const { key } = await hurried.createKey('pro');
  const holder = ask(hurried, { key, name: 'holder' });
  await waitFor(() => order.length === 1);
  const since = performance.now();
  const late = await ask(hurried, { key, name: 'late' });
  expect(performance.now() - since).toBeGreaterThanOrEqual(390);
  expect([late.status, late.body.error.code, late.headers.get('retry-after')]).toEqual([
    503,
    'capacity_unavailable',
    '1',
  ]);
  expect(Number(late.headers.get('x-svc-queue-ms'))).toBeGreaterThanOrEqual(390);
  const message = await call(`${hurried.url}/v1/messages`, {
    headers: { 'x-api-key': key },
    body: { model: 'held', max_tokens: 5, messages: [{ role: 'user', content: 'late' }] },
  });
  expect([message.status, message.body.error.type, message.body.error.code]).toEqual([
    529,
    'overloaded_error',
    'capacity_unavailable',
  ]);
  expect(message.headers.get('retry-after')).toBe('1');
  await releaseNext();
  expect((await holder).status).toBe(200);
  expect(order).toEqual(['holder']);
});

test('removes a request from the queue when its client leaves, without a call or a charge', async () => {
  const { key, account } = await patient.createKey('pro');
  const leaving = new AbortController();
  const holder = ask(patient, { key, name: 'holder' });
  await waitFor(() => order.length === 1);
  const left = ask(patient, { key, name: 'leaver', signal: leaving.signal }).catch(() => 'left');
  await untilQueued(patient, 1);
  leaving.abort();
  await untilQueued(patient, 0);
  await releaseNext();
  expect({ status: (await holder).status, left: await left }).toEqual({ status: 200, left: 'left' });
  expect(order).toEqual(['holder']);
  const entries = (await patient.admin('GET', `/accounts/${account}/ledger`)).body.data;
  expect(entries).toHaveLength(1); // the holder's own
});

test('a request that came during the short pause of a provider gets its free slot after the pause', async () => {
  const { key } = await patient.createKey('pro');
  upstream.answer('wide-spare', answerStatus(429, { 'retry-after': '1' }));
  const holder = ask(patient, { key, name: 'holder', model: 'wide' });
  await waitFor(() => order.length === 1);
  const limited = ask(patient, { key, name: 'limited', model: 'wide' });
  await untilQueued(patient, 1);
  upstream.answer('wide-spare', hold);
  const waiting = ask(patient, { key, name: 'waiting', model: 'wide' });
  await waitFor(() => order.length === 2);
  expect(order).toEqual(['holder', 'waiting']);
  for (const _ of order) await releaseNext();
  await releaseNext();
  expect((await Promise.all([holder, limited, waiting])).map(({ status }) => status)).toEqual([
    200, 200, 200,
  ]);
  upstream.answer('wide-spare', answerWell);
});

test('returns the hold and the counted limits of a client that leaves the queue', async () => {
  const waiting = await patient.createKey('free', { name: 'one' });
  const { key } = await patient.createKey('pro');
  const [holder] = await queueUp(patient, [{ key, name: 'holder' }]);
  for (let round = 0; round < 5; round++) {
    const leaving = new AbortController();
    const asks = ['one', 'two'].map((name) =>
      ask(patient, { key: waiting.key, name, signal: leaving.signal }).catch(() => 'left'),
    );
    await untilQueued(patient, 2); // as many as Free may have at a time
    leaving.abort();
    await untilQueued(patient, 0);
    await Promise.all(asks);
  }
  await releaseNext();
  await holder;
  const { credits } = (await patient.admin('GET', `/accounts/${waiting.account}`)).body;
  expect(credits).toMatchObject({ used: 0, remaining: credits.limit });
  expect((await patient.admin('GET', `/accounts/${waiting.account}/ledger`)).body.data).toEqual([]);
});

test('frees the slot of a client that leaves a call', async () => {
  const { key } = await patient.createKey('pro');
  const leaving = new AbortController();
  const left = ask(patient, { key, name: 'leaver', signal: leaving.signal }).catch(() => 'left');
  await waitFor(() => order.length === 1);
  const next = ask(patient, { key, name: 'next' });
  await untilQueued(patient, 1);
  leaving.abort();
  await waitFor(() => order.length === 2);
  for (const release of held.splice(0)) release();
  expect({ status: (await next).status, left: await left }).toEqual({ status: 200, left: 'left' });
});

test('keeps the slot of a stream until its end', async () => {
  const { key } = await patient.createKey('pro');
  const streamed = patient.chat(key, 'held', {
    stream: true,
    messages: [{ role: 'user', content: 'stream' }],
  });
  await waitFor(() => order.length === 1);
  const next = ask(patient, { key, name: 'next' });
  await untilQueued(patient, 1);
  await releaseNext();
  expect((await streamed).text).toEndWith('data: [DONE]\n\n');
  await releaseNext();
  expect((await next).status).toBe(200);
  expect((await queueOf(patient)).slots_in_use).toBe(0);
});

test('uses the next target with a free slot if the first is full', async () => {
  const { key } = await patient.createKey('pro');
  const holder = ask(patient, { key, name: 'holder', model: 'wide' });
  await waitFor(() => order.length === 1);
  upstream.forget();
  expect((await ask(patient, { key, name: 'other', model: 'wide' })).status).toBe(200);
  expect(upstream.models()).toEqual(['wide-spare']);
  await releaseNext();
  expect((await holder).status).toBe(200);
});

test('operators see each queued request with its account, key, model and end of its wait', async () => {
  const { key, account, id } = await patient.createKey('pro');
  const answers = await queueUp(patient, [
    { key, name: 'holder' },
    { key, name: 'waiting' },
  ]);
  const { body } = await patient.admin('GET', `/queue?account=${account}&class=paid`);
  const [node] = (await patient.admin('GET', '/nodes')).body.data;
  expect(body.data).toMatchObject([
    { class: 'paid', model: 'held', account_id: account, key_id: id, providers: ['narrow'], position: 1 },
  ]);
  const [{ id: requestId, node: ofNode, queued_at, waited_ms, refused_at }] = body.data;
  expect(ofNode).toBe(node.id);
  expect(Date.parse(refused_at) - Date.parse(queued_at)).toBeWithin(29_990, 30_011);
  expect(waited_ms).toBeGreaterThanOrEqual(0);
  await releaseNext();
  await releaseNext();
  const [, waited] = await Promise.all(answers);
  expect(waited!.headers.get('x-svc-request-id')).toBe(requestId);
  expect((await patient.admin('GET', '/queue')).body).toMatchObject({ data: [], has_more: false, total: 0 });
});
