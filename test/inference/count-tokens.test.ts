import { afterAll, describe, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { expectMessagesError } from '../support/expect-messages-error.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import { PDF, PNG } from '../support/speaker.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, chatWires, simulated } from '../support/wire-models.ts';

const upstream = startRecordingUpstream();
const recorded = { provider: 'hidden-openai-chat', model: 'hidden-recorded' };
const server = await startServer({
  config: {
    simulator: { mode: 'on' },
    providers: [
      { id: 'hidden-openai-chat', wire: 'openai-chat', base_url: upstream.url },
      { id: 'hidden-vectors', wire: 'openai-embeddings', base_url: upstream.url },
    ],
    catalog: {
      default: false,
      models: [
        ...chatWires.map((wire) => ableModel(`on-${wire}`, [simulated(wire)])),
        ableModel('@svc/recorded', [recorded]),
        sampleModel('max-only', { plan: 'max', routes: [recorded] }),
        sampleModel('unrouted', { routes: [] }),
        sampleModel('vectors', {
          kind: 'embedding',
          output_dimensions: 8,
          routes: [{ provider: 'hidden-vectors', model: 'v' }],
        }),
      ],
      handles: { 'claude-stock': '@svc/recorded' },
      previews: { 'next-model': '@svc/recorded' },
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const { key, account } = await server.createKey('enterprise');
const free = await server.createKey('free');
const PATH = '/v1/messages/count_tokens';
const user = (content: unknown) => [{ role: 'user', content }];
const post = (body: unknown, headers: Record<string, string> = bearer(key)) =>
  server.call(PATH, { headers, body });
const count = async (fields: Record<string, unknown>): Promise<number> => {
  const answer = await post({ model: 'recorded', messages: user('hello world'), ...fields });
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.body ?? {})).toEqual(['input_tokens']);
  expect(answer.body.input_tokens).toBeInteger();
  return answer.body.input_tokens;
};

const tool = {
  name: 'weather',
  description: 'Tells how the weather is at a place, now or on a day of the coming week.',
  input_schema: {
    type: 'object',
    properties: {
      place: { type: 'string', description: 'A city.' },
      day: { type: 'string', format: 'date' },
    },
    required: ['place'],
  },
};

test('counts the tokens of a conversation, without an output ceiling [CNT-01] [CNT-02]', async () => {
  const plain = await count({});
  const withSystem = await count({ system: 'You are a patient teacher of arithmetic.' });
  const withBlocks = await count({
    system: [{ type: 'text', text: 'You are a patient teacher of arithmetic.' }],
  });
  const withTools = await count({ tools: [tool] });
  expect(plain).toBeWithin(2, 10);
  expect(withSystem).toBeGreaterThan(plain + 5);
  expect(withBlocks).toBe(withSystem);
  expect(withTools).toBeGreaterThan(plain + 30);
  expect(await count({ max_tokens: 5 })).toBe(plain);
});

test('takes the key from either header [CNT-03]', async () => {
  const body = { model: 'recorded', messages: user('hello world') };
  for (const headers of [bearer(key), { 'x-api-key': key }, { ...bearer(key), 'x-api-key': key }])
    expect((await post(body, headers)).status).toBe(200);
});

test('calls no upstream and charges nothing [CNT-04]', async () => {
  upstream.forget();
  const before = (await server.admin('GET', `/accounts/${account}`)).body;
  for (const model of ['recorded', '@svc/recorded', 'svc-recorded']) await count({ model });
  expect(upstream.requests).toEqual([]);
  expect((await server.admin('GET', `/accounts/${account}`)).body).toEqual(before);
});

test('counts images and documents by their content', async () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
  const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } };
  const plain = await count({});
  expect((await count({ messages: user([{ type: 'text', text: 'hello world' }, image]) })) - plain).toBe(1);
  expect((await count({ messages: user([{ type: 'text', text: 'hello world' }, pdf]) })) - plain).toBe(1_200);
});

const texts: Record<string, Json> = {
  English: {
    messages: user(
      'The committee met on Thursday to discuss the proposed changes to the harbour. Most of the members '.repeat(
        5,
      ),
    ),
  },
  code: {
    messages: user(
      'export function add(one: number, other: number): number {\n  // nothing special\n  return one + other;\n}\n'.repeat(
        8,
      ),
    ),
  },
  Chinese: { messages: user('这座城市的港口在冬天结冰，渔民们只好等到春天。'.repeat(10)) },
  Japanese: { messages: user('港は冬になると凍り、漁師たちは春を待つしかない。'.repeat(10)) },
  Korean: { messages: user('항구는 겨울이 되면 얼어붙고 어부들은 봄을 기다린다. '.repeat(10)) },
  JSON: {
    messages: user(
      JSON.stringify(Array.from({ length: 30 }, (_, id) => ({ id, name: `item ${id}`, price: id * 1.5 }))),
    ),
  },
  'tools and guidance': {
    system: 'You answer in one sentence, and you never guess. When a tool can tell, ask it first.',
    tools: [tool, { ...tool, name: 'forecast' }],
    messages: user('What is the weather like in Lisbon, and how will it be on Sunday?'),
  },
  'a conversation': {
    messages: [
      ...user('Who wrote the letters that were found in the attic?'),
      { role: 'assistant', content: 'Nobody knows for certain; the hand is that of a clerk.' },
      ...user([{ type: 'text', text: 'And when were they written? Give me the year, if there is one.' }]),
    ],
  },
};

describe.each([...chatWires])('on %s', (wire) => {
  test.each(
    Object.entries(texts),
  )("counts %s within a tenth of the upstream's count [CNT-07]", async (_, body) => {
    const model = `on-${wire}`;
    const counted = (await post({ model, ...body })).body.input_tokens;
    const answer = await server.call('/v1/messages', {
      headers: bearer(key),
      body: { model, max_tokens: 20, ...body },
    });
    const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = answer.body.usage;
    const used = input_tokens + cache_read_input_tokens + cache_creation_input_tokens;
    expect(counted / used).toBeWithin(0.9, 1.1);
  });
});

describe('refuses', () => {
  const good = { model: 'recorded', messages: user('hello') };
  const cases: [string, number, [string, string], () => ReturnType<typeof post>][] = [
    [
      'an unknown model [CNT-08]',
      404,
      ['invalid_request_error', 'unknown_model'],
      () => post({ ...good, model: 'no' }),
    ],
    [
      'an embedding model',
      422,
      ['invalid_request_error', 'route_not_qualified'],
      () => post({ ...good, model: 'vectors' }),
    ],
    [
      'a model without a provider',
      404,
      ['invalid_request_error', 'model_unavailable'],
      () => post({ ...good, model: 'unrouted' }),
    ],
    [
      'a model of a more expensive plan',
      400,
      ['invalid_request_error', 'plan_upgrade_required'],
      () => post({ ...good, model: 'max-only' }, bearer(free.key)),
    ],
    [
      'a body without messages',
      400,
      ['invalid_request_error', 'invalid_request'],
      () => post({ model: 'recorded' }),
    ],
    ['a body that is not JSON', 400, ['invalid_request_error', 'invalid_json'], () => post('{')],
    ['a call without a key', 401, ['authentication_error', 'missing_api_key'], () => post(good, {})],
  ];

  test.each(cases)('%s', async (_, status, codes, ask) => {
    expectMessagesError(await ask(), status, codes);
  });
});

test('accepts handles and previews [RES-07] [RES-11] [RES-29]', async () => {
  for (const model of ['claude-stock', 'next-model']) {
    expect(await count({ model })).toBeGreaterThan(0);
    const { headers } = await post({ model, messages: user('hello') });
    expect(headers.get('svc-model')).toBe(model);
  }
});

test('serves other requests while it counts a body of ten megabytes', async () => {
  const content = 'The quick brown fox jumps over the lazy dog. '.repeat(220_000);
  const counting = count({ messages: user(content) });
  await Promise.all(Array.from({ length: 20 }, () => count({})));
  // On a busy machine each of these counts can be an estimate.
  const share = (await counting) / 2_200_000;
  expect(share).toBeWithin(0.85, 1.15);
});
