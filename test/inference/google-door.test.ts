import { describe, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { openGoogleGateway } from '../support/google-gateway.ts';
import { answerStatus, answerWell, streamed } from '../support/recording-upstream.ts';
import { dataEvent } from '../support/stream-events.ts';
import { waitFor } from '../support/wait-for.ts';

const { upstream, server, key, account, headers, body, generate } = await openGoogleGateway();

describe('a key', () => {
  test.each([
    ['in x-goog-api-key', '', headers],
    ['in the query', `?key=${key}`, {}],
  ])('is accepted %s', async (_, query, sent) => {
    expect((await generate(`plain:generateContent${query}`, { headers: sent })).status).toBe(200);
  });

  test('in the query must agree with the header', async () => {
    expect((await generate('plain:generateContent?key=svc_other')).status).toBe(401);
  });

  test('that is missing is refused in the form of the vendor', async () => {
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
    const elsewhere = await generate('plain:generateContent', { headers: bearer(key) });
    expect(elsewhere.body.error.message).toContain('x-goog-api-key');
  });

  test('in the query is never logged or recorded', async () => {
    const answer = await generate(`plain:generateContent?key=${key}`, { headers: {} });
    const id = answer.headers.get('x-svc-request-id');
    await waitFor(async () => (await server.admin('GET', `/requests/${id}`)).status === 200);
    const record = await server.admin('GET', `/requests/${id}`);
    expect(`${record.text}${JSON.stringify(server.log())}${server.errors()}`).not.toContain(key);
  });
});

test('an answer has the form of the vendor and the names of the gateway', async () => {
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

test('a model is named by its id or its full path', async () => {
  for (const name of ['plain', 'models/plain', encodeURIComponent('models/plain')])
    expect((await generate(`${name}:generateContent`)).body.modelVersion).toBe('plain');
  const unknown = await generate('none:generateContent');
  expect(unknown).toMatchObject({ status: 404, body: { error: { status: 'NOT_FOUND' } } });
});

test('the methods of a model are also below `/v1`', async () => {
  const newer = await server.call('/v1/models/plain:generateContent', { headers, body });
  expect({ status: newer.status, modelVersion: newer.body.modelVersion }).toEqual({
    status: 200,
    modelVersion: 'plain',
  });
});

describe('a stream', () => {
  const textsOf = (chunks: Json[]) =>
    chunks.flatMap(({ candidates }) => candidates[0].content.parts.map(({ text }: Json) => text));

  test('is a JSON array by default', async () => {
    const array = await generate('plain:streamGenerateContent');
    expect(array.headers.get('content-type')).toStartWith('application/json');
    expect(textsOf(array.body).join('')).toBe('one two');
  });

  test('has server-sent events with alt=sse', async () => {
    const events = await generate('plain:streamGenerateContent?alt=sse');
    expect(events.headers.get('content-type')).toStartWith('text/event-stream');
    const lines = events.text.split('\n').filter((line: string) => line !== '');
    expect(lines.every((line: string) => line.startsWith('data: {'))).toBe(true);
    const chunks = lines.map((line: string) => JSON.parse(line.slice(6)));
    expect(textsOf(chunks)).toEqual(['one ', 'two', '']);
    expect({
      finishReason: chunks.at(-1).candidates[0].finishReason,
      totalTokenCount: chunks.at(-1).usageMetadata.totalTokenCount,
    }).toEqual({ finishReason: 'STOP', totalTokenCount: 10 });
  });

  test('in another form is refused', async () => {
    const wrong = await generate('plain:streamGenerateContent?alt=proto');
    expect(wrong).toMatchObject({ status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } });
  });

  test('that breaks ends with an error of the vendor', async () => {
    const begun = { choices: [{ index: 0, delta: { content: 'one' }, finish_reason: null }] };
    for (const alt of ['?alt=sse', '']) {
      upstream.answer('hidden-fails', () => streamed(dataEvent(begun)));
      const { text } = await generate(`fails:streamGenerateContent${alt}`);
      upstream.forget();
      const last = alt ? JSON.parse(text.trim().split('\n').at(-1)!.slice(6)) : JSON.parse(text).at(-1);
      expect(last.error).toMatchObject({ code: 503, status: 'UNAVAILABLE' });
    }
  });
});

test('an error of the request names the field', async () => {
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
    expect({ http: answer.status, status }).toEqual({ http: 400, status: 'INVALID_ARGUMENT' });
    expect(details.flatMap(({ fieldViolations = [] }: Json) => fieldViolations)[0].field).toBe(field);
  }
});

test('an error of the provider does not name the provider', async () => {
  upstream.answer('hidden-fails', answerStatus(500));
  const failed = await generate('fails:generateContent');
  upstream.forget();
  expect(failed).toMatchObject({ status: 503, body: { error: { status: 'UNAVAILABLE' } } });
  expect(failed.text).not.toContain('hidden');
});

test('an output ceiling counts as in other dialects', async () => {
  const before = upstream.requests.length;
  const one = await generate('plain:generateContent', {
    body: { ...body, generation_config: { max_output_tokens: 5, stop_sequences: ['x'] } },
  });
  const sent = upstream.requests[before]!.body;
  expect({ max_tokens: sent.max_tokens ?? sent.max_completion_tokens, stop: sent.stop }).toEqual({
    max_tokens: 5,
    stop: ['x'],
  });
  const other = await server.call('/v1/chat/completions', {
    headers: bearer(key),
    body: { model: 'plain', max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] },
  });
  const { body: ledger } = await server.admin('GET', `/accounts/${account}/ledger?limit=100`);
  const [entry, twin] = [one, other].map(({ headers: sentHeaders }) =>
    ledger.data.find(({ request_id }: Json) => request_id === sentHeaders.get('x-svc-request-id')),
  );
  expect(entry.receipt.max_output_tokens).toBe(5);
  expect(entry.microcredits).toBePositive();
  expect(entry.microcredits).toBe(twin.microcredits);
});

test('a function with a dot in its name reaches other vendors under another name and is called by its own', async () => {
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

test('contents and a whole request have the same count of tokens', async () => {
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

describe("members of Google's own", () => {
  const own = { generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' } };
  const safetySettings = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }];

  test("reach Google's wire", async () => {
    const before = upstream.requests.length;
    upstream.answer('hidden-of-google', () =>
      Response.json({
        candidates: [{ content: { role: 'model', parts: [{ text: 'yes' }] }, finishReason: 'RECITATION' }],
        usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 1, totalTokenCount: 5 },
      }),
    );
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
  });

  test('are losses on other wires', async () => {
    const elsewhere = await generate('plain:generateContent', { body: { ...body, safetySettings, ...own } });
    expect({
      status: elsewhere.status,
      losses: elsewhere.headers.get('x-svc-translation-losses'),
    }).toEqual({ status: 200, losses: expect.stringContaining('moderation') });
  });

  test('that other wires cannot do without are refused there', async () => {
    const cached = { ...body, cachedContent: 'cachedContents/one' };
    const refused = await generate('plain:generateContent', { body: cached });
    expect({ status: refused.status, param: refused.body.error.details[0].metadata.param }).toEqual({
      status: 422,
      param: 'cachedContent',
    });
  });
});

test('a prompt beyond the window is refused', async () => {
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
    expect({ text: second.text, replayed: second.headers.get('idempotency-replayed') }).toEqual({
      text: first.text,
      replayed: 'true',
    });
    expect(upstream.requests.length).toBe(before + 1);
  });

  test('can be read again from a frame on by its number', async () => {
    const sent = { ...headers, 'x-svc-resumable': 'true' };
    const first = await generate('plain:streamGenerateContent?alt=sse', { headers: sent });
    expect(first.text).not.toContain('id:');
    const id = first.headers.get('x-svc-request-id');
    const frames = first.text.split(/(?<=\n\n)/);
    const rest = await server.call(`/v1/streams/${id}`, { headers: { ...headers, 'last-event-id': '1' } });
    expect({ status: rest.status, text: rest.text }).toEqual({ status: 200, text: frames.slice(1).join('') });
    const array = await generate('plain:streamGenerateContent', { headers: sent });
    const other = await server.call(`/v1/streams/${array.headers.get('x-svc-request-id')}`, { headers });
    expect(other.status).toBe(404);
  });
});
