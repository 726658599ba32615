import { afterAll, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearer, type Json } from '../support/call.ts';
import { startClouds } from '../support/clouds/start-clouds.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

// Everything that a gateway does with a model, with the credentials of each cloud.

const clouds = startClouds();
const { url, calls, probes, asked, state } = clouds;
const directory = mkdtempSync(join(tmpdir(), 'tollgate-cloud-work-'));
const account = join(directory, 'account.json');
writeFileSync(account, clouds.serviceAccount);

const vertex = {
  wires: ['google-generate', 'anthropic-messages'],
  base_url: `${url}/vertex/v1`,
  google: { credentials_file: account, region: 'europe-west1' },
};
const azure = { azure: {}, base_url: `${url}/azure/openai/v1` };
const bedrock = (base: string) => ({ aws: { region: 'eu-west-1' }, base_url: `${url}/bedrock${base}` });
const rows: Json[] = [
  { id: 'vertex', ...vertex },
  { id: 'azure', wires: ['openai-responses', 'openai-chat', 'openai-embeddings'], ...azure },
  { id: 'azure-batch', wire: 'openai-chat', batch: 'native', ...azure },
  { id: 'azure-probed', wire: 'openai-chat', probe: { interval_s: 1 }, ...azure },
  { id: 'converse', wire: 'bedrock-converse', ...bedrock('') },
  { id: 'bedrock-openai', wires: ['openai-responses', 'openai-chat'], ...bedrock('/openai/v1') },
  { id: 'bedrock-messages', wire: 'anthropic-messages', ...bedrock('/anthropic/v1') },
  { id: 'bedrock-batch', wire: 'openai-chat', batch: 'native', ...bedrock('/openai/v1') },
];
const half = { native_batch_pricing_usd_per_mtok: { input: 0.5, output: 2, cached_input: null } };
const model = (id: string, provider: string, wires: string[], fields: Json = {}) =>
  ableModel(id, [{ provider, model: `up-${id}`, wires }], fields);
const models = [
  model('gemini', 'vertex', ['google-generate']),
  model('claude-on-vertex', 'vertex', ['anthropic-messages']),
  model('gpt', 'azure', ['openai-responses', 'openai-chat']),
  model('gpt-chat', 'azure', ['openai-chat']),
  model('nova', 'converse', ['bedrock-converse']),
  model('gpt-on-bedrock', 'bedrock-openai', ['openai-responses', 'openai-chat']),
  model('claude-on-bedrock', 'bedrock-messages', ['anthropic-messages']),
  model('batched-azure', 'azure-batch', ['openai-chat'], half),
  model('batched-bedrock', 'bedrock-batch', ['openai-chat'], half),
  model('embedding', 'azure', ['openai-embeddings'], {
    kind: 'embedding',
    output_dimensions: 8,
    capabilities: {},
    reasoning_efforts: [],
    pricing_usd_per_mtok: { input: 1, output: 0 },
  }),
];
const server = await startServer({
  config: { simulator: { mode: 'off' }, providers: rows, catalog: { default: false, models } },
  environment: clouds.environment,
});
const { key } = await server.createKey('enterprise');
afterAll(async () => {
  await server.stop();
  await clouds.stop();
  rmSync(directory, { recursive: true });
});
beforeEach(() => {
  [calls.length, asked.length, state.answer] = [0, 0, undefined];
});

const post = (path: string, body: Json, headers: Record<string, string> = {}) =>
  server.call(path, { headers: { ...bearer(key), ...headers }, body });

const weather = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const said = 'call weather with {"city":"Rome"}';
const dialects: Record<
  string,
  { path: string; body: (text: string, { stream }: { stream: boolean }) => Json }
> = {
  chat: {
    path: '/v1/chat/completions',
    body: (content, { stream }) => ({
      messages: [{ role: 'user', content }],
      stream,
      reasoning_effort: 'low',
      tools: [{ type: 'function', function: { name: 'weather', parameters: weather } }],
    }),
  },
  messages: {
    path: '/v1/messages',
    body: (content, { stream }) => ({
      messages: [{ role: 'user', content }],
      stream,
      max_tokens: 4_000,
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      tools: [{ name: 'weather', input_schema: weather }],
    }),
  },
  responses: {
    path: '/v1/responses',
    body: (input, { stream }) => ({
      input,
      stream,
      store: false,
      reasoning: { effort: 'low' },
      tools: [{ type: 'function', name: 'weather', parameters: weather }],
    }),
  },
};
const chats = [
  'gemini',
  'claude-on-vertex',
  'gpt',
  'gpt-chat',
  'nova',
  'gpt-on-bedrock',
  'claude-on-bedrock',
];

/** Returns all texts of an answer, joined over its events. */
const textsOf = (answer: string): string =>
  [
    ...answer.matchAll(
      /"(?:text|content|delta|arguments|partial_json|thinking|reasoning_content)":"((?:[^"\\]|\\.)*)"/g,
    ),
  ]
    .map(([, text]) => JSON.parse(`"${text}"`))
    .join('');

test.each(
  chats,
)('%s answers with texts, thinking and tools, whole and streamed, in each dialect', async (id) => {
  for (const { path, body } of Object.values(dialects))
    for (const stream of [false, true]) {
      const text = await post(path, { model: id, ...body('say: hello', { stream }) });
      expect(text.status, text.text).toBe(200);
      const tool = await post(path, { model: id, ...body(said, { stream }) });
      expect(textsOf(text.text)).toContain('hello');
      expect(tool.text).toContain('weather');
      // The messages dialect has the arguments of a whole answer as an object.
      expect(textsOf(tool.text) + tool.text).toMatch(/"city": ?"Rome"/);
    }
  // The model's cloud gives one token. A probe can ask for a token of its cloud at the same time.
  expect(asked.length).toBeLessThan(3);
});

const place = '/vertex/v1/projects/our-project/locations/europe-west1/publishers';

test('Vertex AI gets streams of both publishers, and the betas of the messages protocol', async () => {
  const { body } = dialects.messages!;
  const beta = { 'anthropic-beta': 'interleaved-thinking-2025-05-14', 'anthropic-version': '2023-06-01' };
  await post('/v1/messages', { model: 'claude-on-vertex', ...body('say: hello', { stream: true }) }, beta);
  await post('/v1/messages', { model: 'gemini', ...body('say: hello', { stream: true }) }, beta);
  expect(calls.map(({ path }) => path)).toEqual([
    `${place}/anthropic/models/up-claude-on-vertex:streamRawPredict`,
    `${place}/google/models/up-gemini:streamGenerateContent`,
  ]);
  expect(calls.map(({ headers }) => headers.get('anthropic-beta'))).toEqual([
    'interleaved-thinking-2025-05-14',
    null,
  ]);
  const sent = JSON.parse(calls[0]!.body);
  expect({ model: sent.model, anthropic_version: sent.anthropic_version, stream: sent.stream }).toEqual({
    model: undefined,
    anthropic_version: 'vertex-2023-10-16',
    stream: true,
  });
});

test('tokens are counted for models in clouds, without a call', async () => {
  for (const id of chats) {
    const { messages } = dialects.messages!.body('hello', { stream: false });
    const { status, body } = await post('/v1/messages/count_tokens', { model: id, messages });
    expect(status).toBe(200);
    expect(body.input_tokens).toBeGreaterThan(0);
  }
  expect(calls).toEqual([]);
});

test('embeddings are made with a token, which is renewed once the host refuses it', async () => {
  clouds.revoke();
  const { status, body } = await post('/v1/embeddings', { model: 'embedding', input: ['one', 'two'] });
  expect({ status, length: body.data?.length }).toEqual({ status: 200, length: 2 });
  expect(calls.map(({ path }) => path)).toEqual(Array(2).fill('/azure/openai/v1/embeddings'));
});

test.each([
  'batched-azure',
  'batched-bedrock',
])('%s: files and batches are sent with renewed secrets', async (id) => {
  const requests = ['one', 'two'].map((text) => ({
    custom_id: text,
    params: { model: id, max_tokens: 50, messages: [{ role: 'user', content: `say: ${text}` }] },
  }));
  const headers = { 'x-api-key': key };
  clouds.revoke();
  const { status, body, text } = await server.call('/v1/messages/batches', {
    headers,
    body: { requests, processing_mode: 'native-required' },
  });
  expect(status, text).toBe(200);
  const batch = async () => (await server.call(`/v1/messages/batches/${body.id}`, { headers })).body;
  // The results need another secret too.
  // A host that refuses a renewed secret as well gets the next one only after a minute.
  await waitFor(() => calls.some(({ path }) => path.endsWith('/batches')), 60_000);
  clouds.revoke();
  await waitFor(async () => (await batch()).processing_status === 'ended', 60_000);
  expect((await batch()).request_counts).toMatchObject({ succeeded: 2, errored: 0 });
  expect(calls.some(({ path, body: file }) => path.endsWith('/files') && file.includes('say: one'))).toBe(
    true,
  );
});

test('probes are sent with a token, which is renewed once the host refuses it', async () => {
  const probe = async () => (await server.admin('GET', '/providers/azure-probed')).body.last_probe;
  await waitFor(async () => (await probe())?.ok === true);
  clouds.revoke();
  const renewed = asked.length + 1;
  probes.length = 0;
  await waitFor(() => asked.length >= renewed);
  await waitFor(async () => probes.length >= 3 && (await probe()).ok);
});

const filter = { hate: { filtered: true, severity: 'high' } };
const refusal = {
  message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
  type: null,
  param: 'prompt',
  code: 'content_filter',
  status: 400,
  innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: filter },
};
const filtered = {
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'x',
  prompt_filter_results: [],
  choices: [
    {
      index: 0,
      finish_reason: 'content_filter',
      content_filter_results: filter,
      message: { role: 'assistant', content: 'I', refusal: null },
    },
  ],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
};

test('a prompt that the filter of Azure refuses is content_filter, and a filtered answer the refusal of the dialect', async () => {
  const ask = (name: string) =>
    post(dialects[name]!.path, { model: 'gpt-chat', ...dialects[name]!.body('hello', { stream: false }) });
  state.answer = () => Response.json({ error: refusal }, { status: 400 });
  const refused = await ask('chat');
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'content_filter' } } });
  const inMessages = await ask('messages');
  expect(inMessages).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } });
  state.answer = () => Response.json(filtered);
  expect((await ask('chat')).body.choices[0].finish_reason).toBe('content_filter');
  expect((await ask('messages')).body.stop_reason).toBe('refusal');
  expect((await ask('responses')).body).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
  });
});

test('a host that refuses each identity causes one renewal a minute, and no secret is shown', async () => {
  const body = { model: 'claude-on-bedrock', ...dialects.chat!.body('hello', { stream: false }) };
  state.answer = () => Response.json({ message: 'You lack access to the model.' }, { status: 403 });
  for (let call = 0; call < 5; call++) expect((await post('/v1/chat/completions', body)).status).toBe(503);
  expect(asked.filter((path) => path === '/container')).toHaveLength(1);
  const doctor = (await server.admin('POST', '/doctor/live')).body;
  const { message, mend } = doctor.findings.find(
    ({ check, message: reported }: Json) => check === 'live' && reported.startsWith('bedrock-messages'),
  );
  expect(message).toContain('refuses its key with status 403 (You lack access to the model.)');
  expect(mend).toContain('give the identity of the source container the permission');
  const reported = [server.log(), server.errors(), JSON.stringify(doctor)];
  for (const path of ['/providers', '/requests', '/config', '/audit'])
    reported.push((await server.admin('GET', path)).text);
  expect(reported.join('')).not.toContain('hidden-');
  expect(reported.join('')).not.toContain('ASIAHIDDEN');
});
