import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import OpenAI from 'openai';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { messagesBody } from '../support/messages-body.ts';
import { startRecordingUpstream, type UpstreamAnswer } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';

const WIDTH = 8;
const simulator = serveSimulator({ embeddingDimensions: WIDTH });
const upstream = startRecordingUpstream();
const embedding = (id: string, provider: string, fields: object = {}) => ({
  id,
  kind: 'embedding',
  plan: 'free',
  context_window: 8192,
  output_dimensions: WIDTH,
  pricing_usd_per_mtok: { input: 1, output: 0 },
  routes: [{ provider, model: `hidden-${id.replace('@svc/', '')}` }],
  ...fields,
});
const server = await startServer({
  config: {
    simulator: { mode: 'on' },
    providers: [
      { id: 'hidden-simulator', wire: 'openai-embeddings', base_url: `${simulator.url}/v1` },
      { id: 'hidden-host', wire: 'openai-embeddings', base_url: upstream.url },
      { id: 'hidden-google', wire: 'google-embeddings', base_url: upstream.url, api_key: 'google-key' },
      { id: 'simulated-google', wire: 'google-embeddings', base_url: `${simulator.url}/v1beta` },
      { id: 'hidden-chat', wire: 'openai-chat', base_url: upstream.url },
    ],
    catalog: {
      default: false,
      models: [
        embedding('@svc/vectors', 'hidden-simulator'),
        embedding('short', 'hidden-simulator', { supported_parameters: ['dimensions'] }),
        embedding('built-in', 'simulator', { output_dimensions: 5 }),
        embedding('hosted', 'hidden-host'),
        embedding('of-google', 'hidden-google'),
        embedding('short-of-google', 'hidden-google', { supported_parameters: ['dimensions'] }),
        embedding('simulated-google', 'simulated-google', { supported_parameters: ['dimensions'] }),
        {
          id: 'talks',
          plan: 'free',
          context_window: 8192,
          pricing_usd_per_mtok: { input: 1, output: 4 },
          routes: [{ provider: 'hidden-chat', model: 'hidden-talks' }],
        },
      ],
      handles: { 'gpt-stock': 'talks' },
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
  await simulator.stop();
});

const { key } = await server.createKey('enterprise');
const headers = bearer(key);
const client = new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
const embed = (fields: object) =>
  server.call('/v1/embeddings', { headers, body: { model: 'vectors', input: 'hello', ...fields } });
const vectorsOf = ({ body }: { body: Json }): number[][] =>
  body.data.map((item: Json) => item.embedding as number[]);
const packed = (vector: number[]) => Buffer.from(Float32Array.from(vector).buffer).toString('base64');

beforeEach(upstream.forget);

describe('an embedding', () => {
  test('has the form of the public API, and the dimensions of the model entry [EMB-01] [EMB-02] [ADM-41]', async () => {
    for (const model of ['vectors', 'built-in']) {
      const { status, body } = await embed({ model });
      const { body: entry } = await server.call(`/v1/models/${model}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: expect.any(Array) }],
        model,
        usage: { prompt_tokens: expect.any(Number), total_tokens: expect.any(Number) },
      });
      expect(body.usage.total_tokens).toBeGreaterThan(0);
      expect(body.data[0].embedding).toHaveLength(entry.output_dimensions);
    }
  });

  test('is returned for each element of a list, in order [EMB-03]', async () => {
    const alone = vectorsOf(await embed({ input: 'two' }));
    const { body } = await embed({ input: ['one', 'two', 'three'] });
    expect(body.data.map(({ index }: Json) => index)).toEqual([0, 1, 2]);
    expect(body.data[1].embedding).toEqual(alone[0]);
    expect(vectorsOf(await embed({ input: [1, 2, 3] }))).toHaveLength(1);
    expect(vectorsOf(await embed({ input: [[1, 2], [3]] }))).toHaveLength(2);
  });

  test('is equal in base64 and as numbers [EMB-04]', async () => {
    const input = ['one', 'two'];
    const floats = vectorsOf(await embed({ input, encoding_format: 'float' }));
    const { body } = await embed({ input, encoding_format: 'base64' });
    expect(body.data.map((item: Json) => item.embedding)).toEqual(floats.map(packed));
  });

  test('has the requested model name, and does not reveal the host [EMB-05]', async () => {
    for (const model of ['@svc/vectors', 'svc-vectors', 'vectors']) {
      const answer = await embed({ model });
      expect(answer.body.model).toEqual(model);
      expect(answer.headers.get('svc-model')).toEqual(model);
      expectNoTrace(answer);
    }
  });

  test('is decoded by the official client, which requests base64', async () => {
    const made = await client.embeddings.create({ model: 'vectors', input: ['one', 'two'] });
    const [one, two] = vectorsOf(await embed({ input: ['one', 'two'] }));
    const rounded = [one!, two!].map((vector) => [...Float32Array.from(vector)]);
    expect(made.data.map((item) => [...Float32Array.from(item.embedding)])).toEqual(rounded);
  });
});

describe('dimensions', () => {
  test('shorten the vectors of a model that supports it', async () => {
    const [vector] = vectorsOf(await embed({ model: 'short', dimensions: 3 }));
    expect(vector).toHaveLength(3);
    expect(vectorsOf(await embed({ model: 'short' }))[0]).toHaveLength(WIDTH);
  });

  test('are refused if the model does not support them', async () => {
    expect((await embed({ dimensions: WIDTH })).status).toBe(200);
    expectRefusal(await embed({ dimensions: 3 }), 422, 'route_not_qualified', 'dimensions');
    for (const model of ['vectors', 'short'])
      expectRefusal(await embed({ model, dimensions: WIDTH + 1 }), 422, 'route_not_qualified', 'dimensions');
  });
});

describe('a host with deviations', () => {
  const vector = Array.from({ length: WIDTH }, (_, at) => (at + 1) / 16);
  const answers =
    (data: unknown, more: object = {}): UpstreamAnswer =>
    () =>
      Response.json({ id: 'hidden-id', object: 'list', data, model: 'hidden', provider: 'hidden', ...more });
  const item = (embedding: unknown, index = 0) => ({ object: 'embedding', index, embedding });
  const asks = (fields: object = {}) => embed({ model: 'hosted', ...fields });

  test('serves both forms of vectors, although it has only one', async () => {
    upstream.answer('hidden-hosted', answers([item(vector)]));
    expect((await asks({ encoding_format: 'base64' })).body.data[0].embedding).toBe(packed(vector));
    upstream.answer('hidden-hosted', answers([item(packed(vector))]));
    const answer = await asks();
    expect(vectorsOf(answer)).toEqual([vector]);
    expectNoTrace(answer);
  });

  test('serves requests although it reports no usage or answers out', async () => {
    upstream.answer('hidden-hosted', answers([item(vector, 1), item(vector.toReversed(), 0)]));
    const { body } = await asks({ input: ['a', 'b'] });
    expect(body.data.map(({ index }: Json) => index)).toEqual([0, 1]);
    expect(body.data[0].embedding).toEqual(vector.toReversed());
    const { prompt_tokens } = body.usage;
    expect(body.usage).toEqual({ prompt_tokens: expect.any(Number), total_tokens: prompt_tokens });
    expect(prompt_tokens).toBeGreaterThan(0);
  });

  test('receives the request as sent, with its own model name', async () => {
    upstream.answer('hidden-hosted', answers([item(vector)]));
    await asks({ user: 'u', later_field: { a: 1 } });
    expect(upstream.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      body: { model: 'hidden-hosted', input: 'hello', user: 'u', later_field: { a: 1 } },
    });
  });

  test("with wider vectors is cut to the model entry's dimensions", async () => {
    upstream.answer('hidden-hosted', answers([item([...vector, 9, 9])]));
    const [cut] = vectorsOf(await asks());
    expect(cut).toHaveLength(WIDTH);
    expect(Math.hypot(...cut!)).toBeCloseTo(1, 10);
  });

  test('that sends too few, too short or no vectors has failed', async () => {
    const broken = [
      [],
      [item(vector.slice(1))],
      [item('!')],
      [item(null)],
      [item(vector), item(vector)],
      null,
    ];
    for (const data of broken) {
      upstream.answer('hidden-hosted', answers(data));
      expectRefusal(await asks(), 503, 'upstream_unavailable');
    }
  });

  test('that leaves out the vector of an input has failed', async () => {
    upstream.answer('hidden-hosted', answers([item(vector, 1)]));
    expectRefusal(await asks({ input: ['a', 'b'] }), 503, 'upstream_unavailable');
  });
});

describe("Google's wire", () => {
  const vector = Array.from({ length: WIDTH }, (_, at) => (at + 1) / 16);
  const answers =
    (embeddings: unknown, more: object = {}): UpstreamAnswer =>
    () =>
      Response.json({ embeddings, ...more });
  const asks = (fields: object = {}) => embed({ model: 'of-google', ...fields });

  test('gets one request for each text, and its vectors keep their order', async () => {
    const other = vector.toReversed();
    upstream.answer(
      'hidden-of-google',
      answers([{ values: vector }, { values: other }], { usageMetadata: { promptTokenCount: 9 } }),
    );
    const answer = await asks({ input: ['one', 'two'], user: 'u' });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: {
        object: 'list',
        data: [
          { object: 'embedding', index: 0, embedding: vector },
          { object: 'embedding', index: 1, embedding: other },
        ],
        model: 'of-google',
        usage: { prompt_tokens: 9, total_tokens: 9 },
      },
    });
    expectNoTrace(answer);
    expect(answer.headers.get('x-svc-translation-losses')).toContain('user-hint');
    const [sent] = upstream.requests;
    const model = 'models/hidden-of-google';
    expect({ path: sent!.path, googApiKey: sent!.headers.get('x-goog-api-key'), body: sent!.body }).toEqual({
      path: `/v1/${model}:batchEmbedContents`,
      googApiKey: 'google-key',
      body: {
        requests: [
          { model, content: { parts: [{ text: 'one' }] } },
          { model, content: { parts: [{ text: 'two' }] } },
        ],
      },
    });
  });

  test('gets the width only for models that support it, and base64 is made here', async () => {
    const short = vector.slice(0, 3);
    upstream.answer('hidden-short-of-google', answers([{ values: short }]));
    const { body } = await asks({ model: 'short-of-google', dimensions: 3, encoding_format: 'base64' });
    expect(body.data[0].embedding).toBe(packed(short));
    expect(upstream.requests[0]!.body.requests[0].outputDimensionality).toBe(3);
    expect(body.usage.prompt_tokens).toBeGreaterThan(0);
    expectRefusal(await asks({ dimensions: 3 }), 422, 'route_not_qualified', 'dimensions');
  });

  test('takes no lists of tokens, and a wrong number of vectors has failed', async () => {
    for (const input of [
      [1, 2],
      [[1], [2]],
    ])
      expectRefusal(await asks({ input }), 422, 'route_not_qualified', 'input');
    expect(upstream.requests).toHaveLength(0);
    for (const embeddings of [[], [{ values: vector }, { values: vector }], [{ values: ['a'] }], [null], 7]) {
      upstream.answer('hidden-of-google', answers(embeddings));
      expectRefusal(await asks(), 503, 'upstream_unavailable');
    }
  });

  test('is no native wire of a model [MOD-15]', async () => {
    const { body } = await server.call('/v1/models/of-google');
    expect(body.native_wires).toEqual([]);
  });

  test('is spoken by the simulator with the same vectors as the other wire', async () => {
    const input = ['one', 'two'];
    const google = await embed({ model: 'simulated-google', input, dimensions: 4 });
    const other = await embed({ model: 'short', input, dimensions: 4 });
    expect({ vectors: vectorsOf(google), usage: google.body.usage }).toEqual({
      vectors: vectorsOf(other),
      usage: other.body.usage,
    });
  });
});

describe('a model of the other kind', () => {
  test('is refused: a chat model has no vectors, and an embedding model does not chat [EMB-07]', async () => {
    expectRefusal(await embed({ model: 'talks' }), 422, 'route_not_qualified', 'model');
    const generating: [string, object][] = [
      ['/v1/chat/completions', chatBody('vectors')],
      ['/v1/responses', { model: 'vectors', input: 'hello' }],
      ['/v1/completions', { model: 'vectors', prompt: 'hello' }],
    ];
    for (const [path, body] of generating)
      expectRefusal(await server.call(path, { headers, body }), 422, 'route_not_qualified', 'model');
    const messages = await server.call('/v1/messages', { headers, body: messagesBody('vectors') });
    expect(messages).toMatchObject({ status: 422, body: { error: { code: 'route_not_qualified' } } });
    expect(upstream.requests).toHaveLength(0);
  });

  test("refuses a vendor's model name [RES-07]", async () => {
    expectRefusal(await embed({ model: 'gpt-stock' }), 404, 'unknown_model', 'model');
    const completion = { model: 'gpt-stock', prompt: 'hello' };
    expect((await server.call('/v1/completions', { headers, body: completion })).status).toBe(200);
  });
});

test('refuses a single text that exceeds the window, in each form of the input [ERR-16]', async () => {
  const words = (count: number) => 'the harbour '.repeat(count / 2);
  for (const input of [words(12_000), [words(12_000)], words(200_000)]) {
    const answer = await embed({ input });
    expectRefusal(answer, 400, 'context_length_exceeded');
    expect(answer.body.error.message).toMatch(
      /maximum context length is 8192 tokens\..*resulted in \d+ tokens/,
    );
  }
  expect((await embed({ input: Array(9_000).fill(7) })).body.error.code).toBe('context_length_exceeded');
  for (const input of [words(8_000), [words(5_000), words(5_000)]])
    expect((await embed({ input })).status).toBe(200);
});

test('accepts a text that fits into the window, as tokens and in any language [ERR-16]', async () => {
  const thai = 'เมืองท่าแห่งนี้หนาวมากในฤดูหนาว '.repeat(200);
  const chinese = '这座城市的港口在冬天结冰。'.repeat(400);
  for (const input of [Array(8_000).fill(7), [Array(8_000).fill(7)], thai, [chinese]])
    expect(await embed({ input })).toMatchObject({ status: 200 });
});

test('takes the key only as a bearer token [AUT-07]', async () => {
  const body = { model: 'vectors', input: 'hello' };
  expect((await server.call('/v1/embeddings', { headers, body })).status).toBe(200);
  const other = await server.call('/v1/embeddings', { headers: { 'x-api-key': key }, body });
  expectRefusal(other, 401, 'invalid_api_key');
});

test('refuses an invalid body with the path of the field', async () => {
  const faults: [object, string][] = [
    [{ input: undefined }, 'input'],
    [{ input: '' }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: 7 }, 'input'],
    [{ input: ['a', ''] }, 'input[1]'],
    [{ input: ['a', 1] }, 'input[1]'],
    [{ input: [[1], []] }, 'input[1]'],
    [{ input: [[1], [1, 'a']] }, 'input[1][1]'],
    [{ input: [-1] }, 'input[0]'],
    [{ input: Array.from({ length: 2_049 }, () => 'a') }, 'input'],
    [{ encoding_format: 'int8' }, 'encoding_format'],
    [{ dimensions: 0 }, 'dimensions'],
    [{ user: 1 }, 'user'],
    [{ model: '' }, 'model'],
  ];
  for (const [fields, param] of faults) expectRefusal(await embed(fields), 400, 'invalid_request', param);
});
