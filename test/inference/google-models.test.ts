import { expect, test } from 'bun:test';
import type { Json } from '../support/call.ts';
import { openGoogleGateway } from '../support/google-gateway.ts';

const { server, headers, client } = await openGoogleGateway();

test('models are listed in pages', async () => {
  const first = await server.call('/v1beta/models?pageSize=3', { headers });
  expect(first.body.models.map(({ name }: Json) => name)).toHaveLength(3);
  const second = await server.call(`/v1beta/models?pageSize=3&pageToken=${first.body.nextPageToken}`, {
    headers,
  });
  const names = [...first.body.models, ...second.body.models].map(({ name }: Json) => name);
  expect({ names: names.toSorted(), nextPageToken: second.body.nextPageToken }).toEqual({
    names: [
      ...['models/@svc/of-google', 'models/fails', 'models/plain'],
      ...['models/vectors', 'models/vectors-of-google'],
    ],
    nextPageToken: undefined,
  });
});

test('a model is shown with its limits and methods', async () => {
  const { body: shown } = await server.call('/v1beta/models/plain', { headers });
  expect(shown).toMatchObject({
    name: 'models/plain',
    inputTokenLimit: 8_192,
    outputTokenLimit: 1_000,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  });
});

test('an unknown model and invalid pages are errors', async () => {
  for (const path of ['/v1beta/models/none', '/v1beta/models?pageToken=none', '/v1beta/models?pageSize=a'])
    expect((await server.call(path, { headers })).body.error.code).toBeGreaterThanOrEqual(400);
});

test('models are public', async () => {
  const wrong = { 'x-goog-api-key': 'svc_wrong' };
  for (const path of ['/v1beta/models', '/v1beta/models/plain'])
    for (const sent of [{}, wrong]) expect((await server.call(path, { headers: sent })).status).toBe(200);
});

test('the official client reads all pages', async () => {
  const listed: (string | undefined)[] = [];
  for await (const one of await client.models.list({ config: { pageSize: 1 } })) listed.push(one.name);
  expect(listed.length).toBe(5);
});
