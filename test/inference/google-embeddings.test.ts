import { beforeEach, describe, expect, test } from 'bun:test';
import { openGoogleGateway } from '../support/google-gateway.ts';

const { upstream, generate, client } = await openGoogleGateway();

const part = (text: string, fields: object = {}) => ({ content: { parts: [{ text }] }, ...fields });

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

test('the embedding of one text has the form of the vendor', async () => {
  const { status, body } = await generate('vectors:embedContent', { body: part('a') });
  expect({ status, body }).toEqual({
    status: 200,
    body: { embedding: { values: [0, 1] }, usageMetadata: { promptTokenCount: 3 } },
  });
});

test('several texts are embedded by one request', async () => {
  const several = await generate('vectors:batchEmbedContents', {
    body: { requests: [part('a', { task_type: 'RETRIEVAL_QUERY' }), part('b')] },
  });
  expect(several.body.embeddings).toEqual([{ values: [0, 1] }, { values: [1, 1] }]);
  expect(several.headers.get('x-svc-translation-losses')).toBe('metadata');
  expect(upstream.requests.at(-1)!.body).toEqual({ model: 'hidden-vectors', input: ['a', 'b'] });
});

test("Google's wire gets all members", async () => {
  const { body } = await generate('vectors-of-google:embedContent', {
    body: part('a', { taskType: 'RETRIEVAL_DOCUMENT', title: 'A title' }),
  });
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

test('the official client reads the embeddings of several texts', async () => {
  const { embeddings } = await client.models.embedContent({ model: 'vectors', contents: ['a', 'b'] });
  expect(embeddings?.map(({ values }) => values)).toEqual([
    [0, 1],
    [1, 1],
  ]);
});

test.each([
  ['embedContent', { content: {} }, 'content.parts'],
  ['batchEmbedContents', { requests: [] }, 'requests'],
])('an invalid body of %s names its field', async (method, body, param) => {
  const answer = await generate(`vectors:${method}`, { body });
  expect({ status: answer.status, param: answer.body.error.details[0].metadata.param }).toEqual({
    status: 400,
    param,
  });
});

describe.each(['vectors', 'vectors-of-google'])('a width that %s lacks', (id) => {
  test.each([
    ['embedContent', part('a', { outputDimensionality: 1 }), 'outputDimensionality'],
    [
      'batchEmbedContents',
      { requests: [part('a', { outputDimensionality: 3 })] },
      'requests[0].outputDimensionality',
    ],
  ])('is refused by %s', async (method, body, field) => {
    const { status, body: refused } = await generate(`${id}:${method}`, { body });
    expect({ status, field: refused.error.details[1].fieldViolations[0].field }).toEqual({
      status: 422,
      field,
    });
    expect(refused.error.message).toStartWith(field);
  });
});

test('a chat model makes no embeddings', async () => {
  const chat = await generate('plain:embedContent', { body: part('a') });
  expect(chat).toMatchObject({ status: 422, body: { error: { status: 'FAILED_PRECONDITION' } } });
});
