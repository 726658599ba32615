import { afterAll, expect, test } from 'bun:test';
import { countUp } from '../../src/base/lib/testing/count-up.ts';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, type Json } from '../support/call.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { startNodes } from '../support/postgres/start-nodes.ts';
import { answerSlowly, answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { ableModel } from '../support/wire-models.ts';

const begun = Promise.withResolvers<void>();
const upstream = serveSimulator({ beforeFault: () => begun.promise });
const once = startRecordingUpstream();
once.answer('once-slow', (request) =>
  once.requests.length === 1 ? answerSlowly().answer(request) : answerWell(request),
);
const on = (model: string) => [{ provider: 'openai-chat', model }];
const { nodes, first, advance } = await startNodes(2, {
  providers: [
    { id: 'openai-chat', wire: 'openai-chat', base_url: `${upstream.url}/v1` },
    { id: 'once-slow', wire: 'openai-chat', base_url: once.url },
  ],
  catalog: {
    default: false,
    models: [
      ableModel('quick', on('quick')),
      ableModel('slow', on('slow!stall-after=3')),
      ableModel('once-slow', [{ provider: 'once-slow', model: 'once-slow' }]),
    ],
  },
  plans: wideLimits,
});
afterAll(async () => {
  begun.resolve();
  await upstream.stop();
  await once.stop();
});
const { key, account } = await first.createKey('pro');
const headers = bearer(key);
const [one, two] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
const post = (node: typeof one, body: Json, path = '/v1/responses') => node.call(path, { headers, body });
const read = (node: typeof one, path: string) => node.call(`/v1/responses/${path}`, { headers });
const state = async (node: typeof one, id: string): Promise<string> => (await read(node, id)).body.status;
const usage = (): Promise<Json[]> => usageEntries(two, account);

test('a conversation that began on one node is continued on the other, by one request at a time [CNV-05]', async () => {
  const { id } = (
    await post(one, { items: [{ role: 'user', content: 'Remember plum.' }] }, '/v1/conversations')
  ).body;
  const body = { model: 'quick', conversation: id, input: 'say: hi' };
  for (const node of [two, one, two]) expect((await post(node, body)).status).toBe(200);
  const leaving = new AbortController();
  const slow = one
    .call('/v1/responses', {
      headers,
      body: { ...body, model: 'slow', stream: true },
      signal: leaving.signal,
    })
    .catch(() => undefined);
  await waitFor(() => JSON.stringify(upstream.requests().at(-1)!.body).includes('slow'));
  const second = await post(two, body);
  expect({ status: second.status, code: second.body.error?.code }).toEqual({
    status: 409,
    code: 'conversation_locked',
  });
  leaving.abort();
  await slow;
  await waitFor(async () => (await post(two, body)).status === 200);
  const items = await two.call(`/v1/conversations/${id}/items?limit=100`, { headers });
  expect(items.body.data).toHaveLength(9);
});

test('a conversation that is deleted while a request adds to it is gone or whole [CNV-05]', async () => {
  const path = (id: string) => `/v1/conversations/${id}`;
  const createConversation = async () =>
    (await post(one, { items: [{ role: 'user', content: 'Plum.' }] }, path('').slice(0, -1))).body.id;
  const before = (await usage()).length;
  const statuses: Record<string, number> = {};
  const count = (what: string, { status }: { status: number }) => {
    const name = `${what} ${status}`;
    countUp(statuses, name);
    return status;
  };
  const round = async (index: number) => {
    const [asked, other] = index % 2 === 0 ? [one, two] : [two, index % 4 === 1 ? one : two];
    const id = await createConversation();
    const asking = post(asked, { model: 'quick', conversation: id, input: 'say: hi' });
    const removing = Bun.sleep(index % 40).then(() => other.call(path(id), { headers, method: 'DELETE' }));
    count('asked', await asking);
    expect(count('removed', await removing)).toBe(200);
    expect((await asked.call(path(id), { headers })).status).toBe(404);
  };
  for (let index = 0; index < 120; index += 12)
    await Promise.all(Array.from({ length: 12 }, (_, offset) => round(index + offset)));
  const { 'asked 200': answered = 0, 'asked 404': late = 0 } = statuses;
  expect(answered + late).toBe(120);
  expect(answered).toBeGreaterThan(0);
  await waitFor(async () => (await usage()).length - before === answered);
  expect(await two.ledgerFaults()).toEqual([]);
}, 90_000);

test('a compaction of one node opens on the other [RSP-42]', async () => {
  const input = [{ role: 'user', content: 'Remember plum.' }];
  const { output } = (await post(one, { model: 'quick', input }, '/v1/responses/compact')).body;
  const next = await post(two, { model: 'quick', input: [...output, { role: 'user', content: 'Go on.' }] });
  expect(next.status, next.text).toBe(200);
});

test('a response in the background is polled, streamed and canceled on the other node [BGR-03] [BGR-04]', async () => {
  const made = (await post(one, { model: 'quick', input: 'say: hello', background: true })).body;
  const stream = await read(two, `${made.id}?stream=true`);
  expect(stream.text).toContain('response.completed');
  expect(await state(two, made.id)).toBe('completed');
  const slow = (await post(one, { model: 'slow', input: 'say: words that take long', background: true }))
    .body;
  await waitFor(async () => (await state(two, slow.id)) === 'in_progress');
  const canceled = await two.call(`/v1/responses/${slow.id}/cancel`, { headers, method: 'POST' });
  expect(canceled.body.status).toBe('cancelled');
  expect((await read(one, slow.id)).body).toEqual(canceled.body);
});

test('a response whose node dies is made again by the other and charged once [BGR-07]', async () => {
  const before = (await usage()).length;
  const { id } = (await post(one, { model: 'once-slow', input: 'Hello.', background: true })).body;
  await waitFor(async () => (await state(two, id)) === 'in_progress');
  one.signal('SIGKILL');
  await one.exited;
  await advance(60, two);
  await waitFor(async () => (await state(two, id)) === 'completed');
  expect(once.requests).toHaveLength(2);
  expect((await usage()).length - before).toBe(1);
});
