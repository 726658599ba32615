import { afterAll, beforeEach, expect, test } from 'bun:test';
import { GoogleGenAI } from '@google/genai';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { vectorRow } from './vector-row.ts';

const upstream = startRecordingUpstream();
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: ['openai-chat', 'openai-embeddings', 'google-embeddings'].map((wire) => ({
      id: `hidden-${wire}`,
      wire,
      base_url: upstream.url,
    })),
    catalog: {
      default: false,
      models: [
        vectorRow('vectors', 'openai-embeddings', 'hidden-vectors'),
        vectorRow('vectors-of-google', 'google-embeddings', 'hidden-google-vectors'),
        sampleModel('plain'),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

beforeEach(() => {
  upstream.answer('hidden-vectors', ({ body: { input } }) =>
    Response.json({
      object: 'list',
      data: input.map((_: string, index: number) => ({ object: 'embedding', index, embedding: [index, 1] })),
      usage: { prompt_tokens: 3, total_tokens: 3 },
    }),
  );
  upstream.answer('hidden-google-vectors', () =>
    Response.json({ embeddings: [{ values: [1, 2] }], usageMetadata: { promptTokenCount: 5 } }),
  );
});

const { key } = await server.createKey('enterprise');
const embed = (method: string, body: object) =>
  server.call(`/v1beta/models/${method}`, { headers: { 'x-goog-api-key': key }, body });
const part = (text: string, fields: object = {}) => ({ content: { parts: [{ text }] }, ...fields });

test('the embedding of one text has the form of the vendor', async () => {
  const { status, body } = await embed('vectors:embedContent', part('a'));
  expect({ status, body }).toEqual({
    status: 200,
    body: { embedding: { values: [0, 1] }, usageMetadata: { promptTokenCount: 3 } },
  });
});

test('the embeddings of several texts have the form of the vendor', async () => {
  const { body, headers } = await embed('vectors:batchEmbedContents', {
    requests: [part('a', { task_type: 'RETRIEVAL_QUERY' }), part('b')],
  });
  expect(body.embeddings).toEqual([{ values: [0, 1] }, { values: [1, 1] }]);
  expect(headers.get('x-svc-translation-losses')).toBe('metadata');
  expect(upstream.requests.at(-1)!.body).toEqual({ model: 'hidden-vectors', input: ['a', 'b'] });
});

test("task and title of a text reach Google's wire", async () => {
  const { body } = await embed(
    'vectors-of-google:embedContent',
    part('a', { taskType: 'RETRIEVAL_DOCUMENT', title: 'A title' }),
  );
  expect(body).toMatchObject({ embedding: { values: [1, 2] }, usageMetadata: { promptTokenCount: 5 } });
  expect(upstream.requests.at(-1)!.body.requests).toEqual([
    {
      model: 'models/hidden-google-vectors',
      content: { parts: [{ text: 'a' }] },
      taskType: 'RETRIEVAL_DOCUMENT',
      title: 'A title',
    },
  ]);
});

test('the official client gets the embeddings of several texts', async () => {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: server.url } });
  const { embeddings } = await client.models.embedContent({ model: 'vectors', contents: ['a', 'b'] });
  expect(embeddings).toMatchObject([{ values: [0, 1] }, { values: [1, 1] }]);
});

test.each([
  ['embedContent', { content: {} }, 'content.parts'],
  ['batchEmbedContents', { requests: [] }, 'requests'],
] as const)('%s names an invalid field', async (method, body, param) => {
  const { status, body: refused } = await embed(`vectors:${method}`, body);
  expect({ status, param: refused.error.details[0].metadata.param }).toEqual({ status: 400, param });
});

test.each(
  ['vectors', 'vectors-of-google'].flatMap((model) => [
    {
      method: `${model}:embedContent`,
      body: part('a', { outputDimensionality: 1 }),
      field: 'outputDimensionality',
    },
    {
      method: `${model}:batchEmbedContents`,
      body: { requests: [part('a', { outputDimensionality: 3 })] },
      field: 'requests[0].outputDimensionality',
    },
  ]),
)('$method refuses dimensions that the model does not have', async ({ method, body, field }) => {
  const { status, body: refused } = await embed(method, body);
  expect({ status, violation: refused.error.details[1].fieldViolations[0] }).toMatchObject({
    status: 422,
    violation: { field },
  });
  expect(refused.error.message).toStartWith(field);
});

test('a chat model makes no embeddings', async () => {
  const { status, body } = await embed('plain:embedContent', part('a'));
  expect({ status, error: body.error.status }).toEqual({ status: 422, error: 'FAILED_PRECONDITION' });
});
