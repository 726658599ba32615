import { afterAll, describe, expect, test } from 'bun:test';
import { GoogleGenAI } from '@google/genai';
import type { Json } from '../support/call.ts';
import { answerStatus, answerWell, startRecordingUpstream, streamed } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { vectorRow } from './vector-row.ts';

const upstream = startRecordingUpstream();
const model = (id: string, wire: string, fields: object = {}) => ({
  id,
  plan: 'free',
  delivery: 'exact',
  context_window: 8_192,
  max_output: 1_000,
  pricing_usd_per_mtok: { input: 1, output: 4 },
  capabilities: { tools: true, reasoning: true, vision: false, documents: false },
  routes: [{ provider: `hidden-${wire}`, model: `hidden-${id.replace('@svc/', '')}` }],
  ...fields,
});
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: ['openai-chat', 'google-generate', 'openai-embeddings', 'google-embeddings'].map((wire) => ({
      id: `hidden-${wire}`,
      wire,
      base_url: upstream.url,
    })),
    catalog: {
      default: false,
      models: [
        vectorRow('vectors', 'openai-embeddings', 'hidden-vectors'),
        vectorRow('vectors-of-google', 'google-embeddings', 'hidden-google-vectors'),
        model('plain', 'openai-chat'),
        model('fails', 'openai-chat'),
        model('@svc/of-google', 'google-generate'),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key, account } = await server.createKey('enterprise');
const body = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
const headers = { 'x-goog-api-key': key };
const generate = (path: string, options: object = {}) =>
  server.call(`/v1beta/models/${path}`, { headers, body, ...options });

describe('a key', () => {
  test('is in x-goog-api-key or in the query, and both must agree', async () => {
    expect((await generate('plain:generateContent')).status).toBe(200);
    expect((await generate(`plain:generateContent?key=${key}`, { headers: {} })).status).toBe(200);
    const missing = await generate('plain:generateContent', { headers: {} });
    expect({ status: missing.status, error: missing.body.error }).toEqual({
      status: 401,
      error: {
        code: 401,
        message: 'Send your API key in the x-goog-api-key header or as the query parameter key.',
        status: 'UNAUTHENTICATED',
        details: [expect.objectContaining({ reason: 'MISSING_API_KEY' })],
      },
    });
    expect((await generate('plain:generateContent?key=svc_other')).status).toBe(401);
    const bearer = await generate('plain:generateContent', { headers: { authorization: `Bearer ${key}` } });
    expect(bearer.body.error.message).toContain('x-goog-api-key');
  });

  test('of the query is in no log line and no record', async () => {
    const answer = await generate(`plain:generateContent?key=${key}`, { headers: {} });
    const id = answer.headers.get('x-svc-request-id');
    await waitFor(async () => (await server.admin('GET', `/requests/${id}`)).status === 200);
    const record = await server.admin('GET', `/requests/${id}`);
    expect(`${record.text}${JSON.stringify(server.log())}${server.errors()}`).not.toContain(key);
  });
});

test('an answer has the form of the vendor, with the names of the gateway', async () => {
  const answer = await generate('plain:generateContent');
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 200,
    body: {
      candidates: [
        { content: { parts: [{ text: 'one two' }], role: 'model' }, finishReason: 'STOP', index: 0 },
      ],
      usageMetadata: {
        promptTokenCount: 7,
        candidatesTokenCount: 3,
        totalTokenCount: 10,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 7 }],
      },
      modelVersion: 'plain',
      responseId: expect.any(String),
    },
  });
});

test('a model is named by its id, an alias or its full path, and `/v1` has the methods too', async () => {
  for (const name of ['plain', 'models/plain', encodeURIComponent('models/plain')])
    expect((await generate(`${name}:generateContent`)).body.modelVersion).toBe('plain');
  const newer = await server.call('/v1/models/plain:generateContent', { headers, body });
  expect(newer).toMatchObject({ status: 200, body: { modelVersion: 'plain' } });
  const unknown = await generate('none:generateContent');
  expect(unknown.status).toBe(404);
  expect(unknown.body.error.status).toBe('NOT_FOUND');
});

describe('a stream', () => {
  test('is a JSON array, or server-sent events with alt=sse', async () => {
    const array = await generate('plain:streamGenerateContent');
    expect(array.headers.get('content-type')).toStartWith('application/json');
    const texts = (chunks: Json[]) =>
      chunks.flatMap(({ candidates }) => candidates[0].content.parts.map(({ text }: Json) => text));
    expect(texts(array.body).join('')).toBe('one two');
    const events = await generate('plain:streamGenerateContent?alt=sse');
    expect(events.headers.get('content-type')).toStartWith('text/event-stream');
    const lines = events.text.split('\n').filter((line: string) => line !== '');
    expect(lines.every((line: string) => line.startsWith('data: {'))).toBe(true);
    const chunks = lines.map((line: string) => JSON.parse(line.slice(6)));
    expect(texts(chunks)).toEqual(['one ', 'two', '']);
    expect({
      finishReason: chunks.at(-1).candidates[0].finishReason,
      totalTokenCount: chunks.at(-1).usageMetadata.totalTokenCount,
    }).toEqual({ finishReason: 'STOP', totalTokenCount: 10 });
    const wrong = await generate('plain:streamGenerateContent?alt=proto');
    expect(wrong.status).toBe(400);
    expect(wrong.body.error.status).toBe('INVALID_ARGUMENT');
  });

  test('that breaks ends with an error of the vendor', async () => {
    const begun = { choices: [{ index: 0, delta: { content: 'one' }, finish_reason: null }] };
    for (const alt of ['?alt=sse', '']) {
      upstream.answer('hidden-fails', () => streamed(`data: ${JSON.stringify(begun)}\n\n`));
      const { text } = await generate(`fails:streamGenerateContent${alt}`);
      upstream.forget();
      const last = alt ? JSON.parse(text.trim().split('\n').at(-1)!.slice(6)) : JSON.parse(text).at(-1);
      expect(last.error).toMatchObject({ code: 503, status: 'UNAVAILABLE' });
    }
  });
});

test('an error of the request names the field, and one of the provider does not name the provider', async () => {
  const faults: [object, string][] = [
    [{ contents: [] }, 'contents'],
    [{ ...body, generationConfig: { maxOutputTokens: 0 } }, 'generationConfig.maxOutputTokens'],
    [{ ...body, generationConfig: { candidateCount: 2 } }, 'generationConfig.candidateCount'],
    [
      { ...body, toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
      'toolConfig.functionCallingConfig.mode',
    ],
  ];
  for (const [sent, field] of faults) {
    const answer = await generate('plain:generateContent', { body: sent });
    const { status, details } = answer.body.error;
    expect(answer.status).toBe(400);
    expect(status).toBe('INVALID_ARGUMENT');
    expect(details.flatMap(({ fieldViolations = [] }: Json) => fieldViolations)[0].field).toBe(field);
  }
  upstream.answer('hidden-fails', answerStatus(500));
  const failed = await generate('fails:generateContent');
  upstream.forget();
  expect(failed.status).toBe(503);
  expect(failed.body.error.status).toBe('UNAVAILABLE');
  expect(failed.text).not.toContain('hidden');
});

test('a prompt that exceeds the window is refused in the words of the vendor [ERR-16] [ERR-58]', async () => {
  const tooLong = { contents: [{ parts: [{ text: 'word '.repeat(20_000) }] }] };
  for (const id of ['plain', '@svc/of-google']) {
    const { status, body: answer } = await generate(`${id}:generateContent`, { body: tooLong });
    expect({ status, reason: answer.error.details[0].reason }).toEqual({
      status: 400,
      reason: 'CONTEXT_LENGTH_EXCEEDED',
    });
    expect(answer.error.message).toMatch(
      /^The input token count \(\d+\) exceeds the maximum number of tokens allowed \(8192\)\./,
    );
  }
  upstream.answer('hidden-plain', answerStatus(400, { message: 'the prompt is too long' }));
  const { body: unnumbered } = await generate('plain:generateContent');
  expect(unnumbered.error.message).toStartWith('The input exceeds the maximum number of tokens allowed');
  upstream.answer('hidden-plain', answerWell);
});

test('the output ceiling reaches the provider, bounds the hold, and costs what it costs elsewhere', async () => {
  const before = upstream.requests.length;
  const one = await generate('plain:generateContent', {
    body: { ...body, generation_config: { max_output_tokens: 5, stop_sequences: ['x'] } },
  });
  const sent = upstream.requests[before]!.body;
  expect(sent.max_tokens ?? sent.max_completion_tokens).toBe(5);
  expect(sent.stop).toEqual(['x']);
  const other = await server.call('/v1/chat/completions', {
    headers: { authorization: `Bearer ${key}` },
    body: { model: 'plain', max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] },
  });
  const { body: ledger } = await server.admin('GET', `/accounts/${account}/ledger?limit=100`);
  const [entry, twin] = [one, other].map(({ headers: sentHeaders }) =>
    ledger.data.find(({ request_id }: Json) => request_id === sentHeaders.get('x-svc-request-id')),
  );
  expect(entry.receipt.max_output_tokens).toBe(5);
  expect(entry.microcredits).toBeGreaterThan(0);
  expect(entry.microcredits).toBe(twin.microcredits);
});

test('functions with dots in their names reach other vendors under usable names, and are called by their own', async () => {
  let sent = '';
  upstream.answer('hidden-plain', ({ body: { tools, model } }) => {
    sent = tools[0].function.name;
    const tool_calls = [{ id: 'c', type: 'function', function: { name: sent, arguments: '{}' } }];
    return Response.json({ model, choices: [{ message: { tool_calls }, finish_reason: 'tool_calls' }] });
  });
  const tools = [{ functionDeclarations: [{ name: 'crm.find' }] }];
  const { text } = await generate('plain:generateContent', { body: { ...body, tools } });
  upstream.answer('hidden-plain', answerWell);
  expect(sent).toMatch(/^crm_find_[0-9a-f]{8}$/);
  expect(text).toContain('"name":"crm.find"');
});

test('counts tokens of contents and of a whole request, free of charge', async () => {
  const { body: one } = await generate('plain:countTokens');
  expect(one).toEqual({
    totalTokens: expect.any(Number),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: one.totalTokens }],
  });
  const { body: other } = await generate('plain:countTokens', {
    body: { generateContentRequest: { model: 'models/plain', ...body } },
  });
  expect(other.totalTokens).toBe(one.totalTokens);
});

test('lists models in pages, and shows one', async () => {
  const first = await server.call('/v1beta/models?pageSize=3', { headers });
  expect(first.body.models.map(({ name }: Json) => name)).toHaveLength(3);
  const second = await server.call(`/v1beta/models?pageSize=3&pageToken=${first.body.nextPageToken}`, {
    headers,
  });
  const names = [...first.body.models, ...second.body.models].map(({ name }: Json) => name);
  expect({ names: names.toSorted(), nextPageToken: second.body.nextPageToken }).toEqual({
    names: [
      'models/@svc/of-google',
      'models/fails',
      'models/plain',
      'models/vectors',
      'models/vectors-of-google',
    ],
    nextPageToken: undefined,
  });
  const { body: shown } = await server.call('/v1beta/models/plain', { headers });
  expect(shown).toMatchObject({
    name: 'models/plain',
    inputTokenLimit: 8_192,
    outputTokenLimit: 1_000,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  });
  for (const path of ['/v1beta/models/none', '/v1beta/models?pageToken=none', '/v1beta/models?pageSize=a'])
    expect((await server.call(path, { headers })).body.error.code).toBeGreaterThanOrEqual(400);
  const wrong = { 'x-goog-api-key': 'svc_wrong' };
  for (const path of ['/v1beta/models', '/v1beta/models/plain'])
    for (const sent of [{}, wrong]) expect((await server.call(path, { headers: sent })).status).toBe(200);
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: server.url, apiVersion: 'v1beta' } });
  const listed: (string | undefined)[] = [];
  for await (const one of await client.models.list({ config: { pageSize: 1 } })) listed.push(one.name);
  expect(listed.length).toBe(5);
});

test("members of Google's own reach Google's wire, and are losses elsewhere", async () => {
  const before = upstream.requests.length;
  upstream.answer('hidden-of-google', () =>
    Response.json({
      candidates: [{ content: { role: 'model', parts: [{ text: 'yes' }] }, finishReason: 'RECITATION' }],
      usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 1, totalTokenCount: 5 },
    }),
  );
  const own = { generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' } };
  const safetySettings = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }];
  const answer = await generate('@svc/of-google:generateContent', {
    body: { ...body, safetySettings, ...own },
  });
  expect({ status: answer.status, finishReason: answer.body.candidates[0].finishReason }).toEqual({
    status: 200,
    finishReason: 'RECITATION',
  });
  const sent = upstream.requests[before]!;
  expect({
    path: sent.path,
    safetySettings: sent.body.safetySettings,
    generationConfig: sent.body.generationConfig,
  }).toEqual({
    path: '/v1/models/hidden-of-google:generateContent',
    safetySettings,
    generationConfig: own.generationConfig,
  });
  const elsewhere = await generate('plain:generateContent', { body: { ...body, safetySettings, ...own } });
  expect({
    status: elsewhere.status,
    translationLosses: elsewhere.headers.get('x-svc-translation-losses'),
  }).toEqual({ status: 200, translationLosses: expect.stringContaining('moderation') });
  const cached = { ...body, cachedContent: 'cachedContents/one' };
  const refused = await generate('plain:generateContent', { body: cached });
  expect({ status: refused.status, param: refused.body.error.details[0].metadata.param }).toEqual({
    status: 422,
    param: 'cachedContent',
  });
});

test('the prompt is estimated with its turns and its media, as in the other dialects', async () => {
  const long = 'word '.repeat(20_000);
  const tooLong = await generate('plain:generateContent', {
    body: { contents: [{ role: 'user', parts: [{ text: long }] }] },
  });
  expect({ status: tooLong.status, reason: tooLong.body.error.details[0].reason }).toEqual({
    status: 400,
    reason: 'CONTEXT_LENGTH_EXCEEDED',
  });
});

describe('an answer that is recorded', () => {
  test('is joined and replayed by a retry with the same Idempotency-Key', async () => {
    const { key: keyed } = await server.createKey('enterprise', { retries: 'keyed' });
    const sent = { 'x-goog-api-key': keyed, 'idempotency-key': 'one' };
    const before = upstream.requests.length;
    const first = await generate('plain:generateContent', { headers: sent });
    const second = await generate('plain:generateContent', { headers: sent });
    expect(second.text).toEqual(first.text);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(upstream.requests.length).toBe(before + 1);
  });

  test('can be read again by the number of frames, without ids in them', async () => {
    const sent = { ...headers, 'x-svc-resumable': 'true' };
    const first = await generate('plain:streamGenerateContent?alt=sse', { headers: sent });
    expect(first.text).not.toContain('id:');
    const id = first.headers.get('x-svc-request-id');
    const frames = first.text.split(/(?<=\n\n)/);
    const rest = await server.call(`/v1/streams/${id}`, { headers: { ...headers, 'last-event-id': '1' } });
    expect(rest.status).toBe(200);
    expect(rest.text).toEqual(frames.slice(1).join(''));
    const array = await generate('plain:streamGenerateContent', { headers: sent });
    const other = await server.call(`/v1/streams/${array.headers.get('x-svc-request-id')}`, { headers });
    expect(other.status).toBe(404);
  });
});
