import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
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
const provider = (id: string, max_concurrent: number | null) => ({
  id,
  wire: 'openai-chat',
  base_url: upstream.url,
  max_concurrent,
});
const routes = (model: string, ids: string[]) => ids.map((id) => ({ provider: id, model: `${model}-${id}` }));

const configOf = (limits: Record<string, unknown> = {}, narrow: number | null = 1) => ({
  simulator: { mode: 'off' },
  limits: { queue_wait_s: 60, ...limits },
  providers: [provider('narrow', narrow), provider('spare', 1), provider('roomy', null)],
  catalog: {
    default: false,
    models: [
      sampleModel('held', { routes: routes('held', ['narrow']) }),
      sampleModel('wide', { routes: routes('wide', ['narrow', 'spare']) }),
      sampleModel('sick', { routes: routes('sick', ['narrow', 'spare']) }),
      sampleModel('replaced', {
        delivery: 'optimized',
        comparable: ['other'],
        routes: routes('replaced', ['narrow']),
      }),
      sampleModel('other', { routes: routes('other', ['roomy']) }),
    ],
  },
});

const server = await startServer({ config: configOf() });
const { key } = await server.createKey('scale');
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

/** The test releases answers. Each request is identified by its text. */
const held = new Map<string, () => void>();
const hold: UpstreamAnswer = async (request) => {
  await new Promise<void>((resolve) => held.set(request.body.messages[0].content, resolve));
  return answerWell(request);
};
const heldModels = ['held-narrow', 'wide-narrow', 'wide-spare', 'replaced-narrow'];
beforeEach(async () => {
  held.clear();
  for (const model of heldModels) upstream.answer(model, hold);
  for (const id of ['narrow', 'spare']) await server.admin('POST', `/providers/${id}/undrain`);
  server.configure(configOf());
  await server.reload();
  upstream.forget();
});

afterEach(async () => {
  for (const model of heldModels) upstream.answer(model, answerWell);
  for (const letGo of held.values()) letGo();
  await untilQueued('narrow', 0);
});

const ask = (model: string, name: string) =>
  call(`${server.url}/v1/chat/completions`, {
    headers: bearer(key),
    body: chatBody(model, { messages: [{ role: 'user', content: name }] }),
  });
const begun = async (model: string, name: string) => {
  const answer = ask(model, name);
  await waitFor(() => held.has(name));
  return answer;
};
const release = async (name: string) => {
  await waitFor(() => held.has(name));
  held.get(name)!();
};
const queue = async (id: string) => (await server.admin('GET', `/providers/${id}`)).body.queue_length;
const untilQueued = (id: string, length: number) => waitFor(async () => (await queue(id)) === length);
const textsAt = (model: string) =>
  upstream.requests.filter(({ body }) => body.model === model).map(({ body }) => body.messages[0].content);

test('a queued request does not go to a provider that was drained meanwhile', async () => {
  const holders = [begun('wide', 'one')];
  await waitFor(() => held.size === 1);
  holders.push(begun('wide', 'two'));
  await waitFor(() => held.size === 2);
  const waiter = ask('wide', 'waiter');
  await untilQueued('narrow', 1);
  await server.admin('POST', '/providers/narrow/drain');
  await release('one');
  await await holders[0];
  expect(textsAt('wide-narrow')).toEqual(['one']);
  await release('two');
  await release('waiter');
  expect((await waiter).status).toBe(200);
  expect(textsAt('wide-spare')).toEqual(['two', 'waiter']);
});

test('a request that queues only for a drained provider is refused at once', async () => {
  const holder = begun('held', 'holder');
  await waitFor(() => held.size === 1);
  const waiter = ask('held', 'waiter');
  await untilQueued('narrow', 1);
  await server.admin('POST', '/providers/narrow/drain');
  const { status, body } = await waiter;
  expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'capacity_unavailable' });
  await release('holder');
  expect((await holder).status).toBe(200);
});

test('a comparable model answers a request that queued for a drained provider', async () => {
  const holder = begun('replaced', 'holder');
  await waitFor(() => held.size === 1);
  const waiter = ask('replaced', 'waiter');
  await untilQueued('narrow', 1);
  await server.admin('POST', '/providers/narrow/drain');
  const { status, headers } = await waiter;
  expect({ status, servedBy: headers.get('x-svc-served-by') }).toEqual({ status: 200, servedBy: 'other' });
  await release('holder');
  expect((await holder).status).toBe(200);
});

test('an undrained provider serves requests that queue for another', async () => {
  await server.admin('POST', '/providers/spare/drain');
  const holder = begun('wide', 'holder');
  await waitFor(() => held.size === 1);
  const waiter = ask('wide', 'waiter');
  await untilQueued('narrow', 1);
  await server.admin('POST', '/providers/spare/undrain');
  await release('waiter');
  expect((await waiter).status).toBe(200);
  expect(textsAt('wide-spare')).toEqual(['waiter']);
  await release('holder');
  expect((await holder).status).toBe(200);
});

for (const room of [2, null])
  test(`slots that a reload adds serve queued requests at once (${room})`, async () => {
    const holder = begun('held', 'holder');
    await waitFor(() => held.size === 1);
    const waiter = ask('held', 'waiter');
    await untilQueued('narrow', 1);
    server.configure(configOf({}, room));
    expect((await server.reload()).status).toBe(200);
    await release('waiter');
    expect((await waiter).status).toBe(200);
    await release('holder');
    expect((await holder).status).toBe(200);
  });

test('a shorter wait set by a reload applies to later requests', async () => {
  const holder = begun('held', 'holder');
  await waitFor(() => held.size === 1);
  const patient = ask('held', 'patient');
  await untilQueued('narrow', 1);
  server.configure(configOf({ queue_wait_s: 0.3 }));
  await server.reload();
  const { status, body } = await ask('held', 'hurried');
  expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'capacity_unavailable' });
  await release('holder');
  await release('patient');
  expect({ holder: (await holder).status, patient: (await patient).status }).toEqual({
    holder: 200,
    patient: 200,
  });
});

test('queued requests leave a failing target for a healthy one', async () => {
  const holders = [begun('wide', 'one')];
  await waitFor(() => held.size === 1);
  holders.push(begun('wide', 'two'));
  await waitFor(() => held.size === 2);
  upstream.answer('sick-narrow', answerStatus(500));
  const waiters = Array.from({ length: 100 }, (_, index) => ask('sick', `${index}`));
  await untilQueued('narrow', 100);
  await release('one');
  await waitFor(async () => (await queue('narrow')) === 0);
  expect(await queue('spare')).toBe(100); // all of them, though some were refused there already
  await release('two');
  const answers = await Promise.all(waiters);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(textsAt('sick-narrow').length).toBeLessThanOrEqual(25);
  await Promise.all(holders);
});

test('queued requests return to a target when its requested pause ends, without new requests', async () => {
  const holder = begun('wide', 'one');
  await waitFor(() => held.size === 1);
  const other = begun('wide', 'two');
  await waitFor(() => held.size === 2);
  upstream.answer('sick-narrow', () => {
    upstream.answer('sick-narrow', hold);
    return new Response('{}', { status: 429, headers: { 'retry-after': '2' } });
  });
  const waiters = ['a', 'b', 'c'].map((name) => ask('sick', name));
  await untilQueued('narrow', 3);
  await release('one'); // 'a' is refused there, and waits for the other
  await untilQueued('narrow', 0);
  for (const name of ['b', 'c']) await release(name); // at the first, while the other is still busy
  expect(textsAt('sick-narrow')).toEqual(['a', 'b', 'c']);
  await release('two');
  await Promise.all([holder, other, ...waiters]);
});
