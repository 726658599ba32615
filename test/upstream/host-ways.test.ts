import { afterAll, beforeEach, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { HIDDEN, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

const upstream = startRecordingUpstream();
const ways: Record<string, object> = {
  plain: {},
  picky: {
    quirks: [
      'max-tokens-only',
      'no-stream-options',
      'no-developer-role',
      'no-parallel-tool-calls',
      'rejects-unknown-fields',
    ],
  },
  dated: {
    key_header: 'api-key',
    query: { 'api-version': '2024-10-21' },
    quirks: ['deployment-in-path', 'max-completion-tokens-only'],
  },
};
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: Object.entries(ways).map(([id, way]) => ({
      id: `${HIDDEN}-${id}`,
      wire: 'openai-chat',
      base_url: upstream.url,
      api_key: 'the-key',
      ...way,
    })),
    catalog: {
      default: false,
      models: Object.keys(ways).map((id) =>
        sampleModel(`by-${id}`, {
          capabilities: { tools: true, reasoning: false, vision: false, documents: false },
          routes: [{ provider: `${HIDDEN}-${id}`, model: `${HIDDEN}-${id}` }],
        }),
      ),
    },
  },
});
const { key } = await server.createKey('enterprise');
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
beforeEach(() => upstream.forget());

const asked = {
  messages: [
    { role: 'developer', content: 'be brief' },
    { role: 'user', content: 'hello' },
  ],
  max_completion_tokens: 9,
  parallel_tool_calls: false,
  store: true,
  stream: true,
};

test("a host without quirks receives the client's request unchanged", async () => {
  expect((await server.chat(key, 'by-plain', asked)).status).toBe(200);
  const [{ body, headers }] = upstream.requests as [Json];
  expect(body).toEqual({ ...asked, model: `${HIDDEN}-plain`, stream_options: { include_usage: true } });
  expect({ authorization: headers.get('authorization'), apiKey: headers.get('api-key') }).toEqual({
    authorization: 'Bearer the-key',
    apiKey: null,
  });
});

test('a host with quirks receives requests in its own form, from every dialect', async () => {
  const chat = await server.chat(key, 'by-picky', asked);
  expect({ status: chat.status, translationLosses: chat.headers.get('x-svc-translation-losses') }).toEqual({
    status: 200,
    translationLosses: 'parallel-tool-calls, store',
  });
  const messages = await server.call('/v1/messages', {
    headers: bearer(key),
    body: {
      model: 'by-picky',
      max_tokens: 9,
      system: 'be brief',
      stream: true,
      messages: [{ role: 'user', content: 'hello' }],
    },
  });
  expect(messages.status).toBe(200);
  for (const { body } of upstream.requests)
    expect(body).toEqual({
      model: `${HIDDEN}-picky`,
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'hello' },
      ],
      max_tokens: 9,
      stream: true,
    });
  const strict = await server.call('/v1/chat/completions', {
    headers: { ...bearer(key), 'x-svc-strict': 'true' },
    body: { ...asked, model: 'by-picky' },
  });
  expect(strict).toMatchObject({ status: 422, body: { error: { code: 'route_not_qualified' } } });
});

test('a host with deployments under a dated API is called there, with its own key header', async () => {
  expect((await server.chat(key, 'by-dated', { max_tokens: 5 })).status).toBe(200);
  const [{ path, query, headers, body }] = upstream.requests as [Json];
  expect({ path, query }).toEqual({
    path: `/v1/deployments/${HIDDEN}-dated/chat/completions`,
    query: '?api-version=2024-10-21',
  });
  expect({ apiKey: headers.get('api-key'), authorization: headers.get('authorization') }).toEqual({
    apiKey: 'the-key',
    authorization: null,
  });
  expect({ max_completion_tokens: body.max_completion_tokens, max_tokens: body.max_tokens }).toEqual({
    max_completion_tokens: 5,
    max_tokens: undefined,
  });
});

test('Azure is switched on by its endpoint and key, with an optional dated version', async () => {
  const modesWith = async (environment: Record<string, string>) => {
    const azure = await startServer({ environment });
    const { body } = await azure.admin('GET', '/providers');
    await azure.stop();
    return Object.fromEntries(
      body.data
        .filter(({ id }: Json) => id.startsWith('azure'))
        .map(({ id, mode, base_url }: Json) => [id, mode === 'live' ? base_url : mode]),
    );
  };
  const variables = {
    AZURE_OPENAI_ENDPOINT: 'https://example.openai.azure.com/',
    AZURE_OPENAI_API_KEY: 'azure-dummy',
  };
  expect(await modesWith({ AZURE_OPENAI_API_KEY: 'azure-dummy' })).toEqual({
    azure: 'simulated',
    'azure-dated': 'simulated',
  });
  expect(await modesWith(variables)).toEqual({
    azure: 'https://example.openai.azure.com/openai/v1',
    'azure-dated': 'not-set-up',
  });
  expect(await modesWith({ ...variables, OPENAI_API_VERSION: '2024-10-21' })).toEqual({
    azure: 'https://example.openai.azure.com/openai/v1',
    'azure-dated': 'https://example.openai.azure.com/openai',
  });
});
