import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Json } from '../support/call.ts';
import { startRecordingUpstream, streamed, type UpstreamAnswer } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';

const upstream = startRecordingUpstream();
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: ['google-generate', 'openai-chat'].map((wire) => ({
      id: `hidden-${wire}`,
      wire,
      base_url: upstream.url,
    })),
    catalog: {
      default: false,
      models: [
        ['gemini', 'google-generate', {}],
        ['plain', 'openai-chat', {}],
        ['simple', 'google-generate', { capabilities: { tools: true, reasoning: false } }],
        ['searching', 'google-generate', { allow_unpriced: ['web_search'] }],
        ['refusing', 'google-generate', { refuses: ['temperature', 'stop'] }],
      ].map(([id, wire, fields]) => ({
        id,
        plan: 'free',
        delivery: 'exact',
        context_window: 8_192,
        max_output: 1_000,
        pricing_usd_per_mtok: { input: 1, output: 4 },
        capabilities: { tools: true, reasoning: true, vision: true, documents: true },
        routes: [{ provider: `hidden-${wire}`, model: `hidden-${id}` }],
        ...(fields as object),
      })),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key, account } = await server.createKey('enterprise');
const headers = { 'x-goog-api-key': key };
const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
const generate = (path: string, body: unknown = { contents }, more: object = {}) =>
  server.call(`/v1beta/models/${path}`, { headers: { ...headers, ...more }, body });
const entryOf = async ({ headers: sent }: { headers: Headers }) => {
  const { body } = await server.admin('GET', `/accounts/${account}/ledger?limit=100`);
  return body.data.find(({ request_id }: Json) => request_id === sent.get('x-svc-request-id'));
};

const usageMetadata = {
  promptTokenCount: 4,
  candidatesTokenCount: 2,
  totalTokenCount: 6,
  serviceTier: 'standard',
};
/** Four tokens of input and two of output, at 500 and 2,000 microcredits. */
const CHARGE = 4 * 500 + 2 * 2_000;
const names = { modelVersion: 'hidden-gemini', responseId: 'hidden-id' };
const candidate = (text: string, more: object = {}) => ({
  content: { role: 'model', parts: [{ text, unknownOfParts: { a: 1 } }] },
  index: 0,
  ...more,
});
const whole = {
  candidates: [candidate('yes', { finishReason: 'STOP', avgLogprobs: -0.25, unknown: [null] })],
  usageMetadata,
  ...names,
  unknown_member: { big: 1 },
};
/** The text of an answer, with white space and a number that parsing would change. */
const wholeText = JSON.stringify(whole, null, 2).replace('"big": 1', '"big": 12345678901234567890');
const answerText =
  (text: string): UpstreamAnswer =>
  () =>
    new Response(text, { headers: { 'content-type': 'application/json' } });
const renamed = (text: string, model: string, id: string) =>
  text.replaceAll('hidden-gemini', model).replaceAll('hidden-id', id);

beforeEach(() => {
  upstream.forget();
  upstream.answer('hidden-gemini', answerText(wholeText));
});

describe("a request for a model on Google's own wire", () => {
  test('reaches it byte for byte, whatever its spelling and its unknown members', async () => {
    const bodies = [
      '{ "contents" : [{"role":"user","parts":[{"text":"Hello"}]}],\n "someNewMember": {"a_b": [1, 12345678901234567890]}}',
      '{"system_instruction":{"parts":{"text":"Be brief."}},"contents":{"parts":{"text":"Hi"}},"new_member":{"inner_name":1}}',
      '{"generation_config":{"max_output_tokens":7,"new_option":true},"contents":[{"parts":[{"text":"Hi","new_part":1}]}]}',
      '{"contents":[{"parts":[{"text":"Hi"}]}],"tools":[{"functionDeclarations":[{"name":"a"}],"newTool":{"deep_name":1}}]}',
    ];
    for (const body of bodies) {
      const answer = await generate('gemini:generateContent', body);
      expect({
        status: answer.status,
        translationLosses: answer.headers.get('x-svc-translation-losses'),
      }).toEqual({ status: 200, translationLosses: null });
      expect(upstream.requests.at(-1)!.text).toBe(body);
      expect(upstream.requests.at(-1)!.path).toBe('/v1/models/hidden-gemini:generateContent');
    }
  });

  test('gets the answer of the upstream with the names of the gateway, and its usage is charged', async () => {
    const answer = await generate('gemini:generateContent');
    expect(answer.text).toBe(renamed(wholeText, 'gemini', answer.body.responseId));
    expect(answer.body.responseId).not.toContain('hidden');
    expect((await entryOf(answer)).microcredits).toBe(CHARGE);
    const receipt = await server.call(`/v1/usage/${answer.body.responseId}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(receipt.body).toMatchObject({ request_id: answer.headers.get('x-svc-request-id') });
  });

  test('shows the usage that is charged in place of counts that are none', async () => {
    const odd = { ...whole, usageMetadata: { ...usageMetadata, candidatesTokenCount: [2] } };
    upstream.answer('hidden-gemini', answerText(JSON.stringify(odd)));
    const answer = await generate('gemini:generateContent');
    expect(answer.body.usageMetadata).toMatchObject({ promptTokenCount: 4, candidatesTokenCount: 2 });
  });

  test('has a ceiling of at most that of the model, without the members of the address', async () => {
    const body =
      '{"model":"models/other","stream":true,"contents":[{"parts":[{"text":"Hi"}]}],"generationConfig":{"maxOutputTokens": 5000, "topK":3}}';
    expect((await generate('gemini:generateContent', body)).status).toBe(200);
    expect(upstream.requests.at(-1)!.text).toBe(
      '{"contents":[{"parts":[{"text":"Hi"}]}],"generationConfig":{"maxOutputTokens": 1000, "topK":3}}',
    );
  });

  test('has the ceiling that its credit covers', async () => {
    const { key: paying, account: payer } = await server.createKey('payg');
    await server.purchase(payer, 2);
    const answer = await generate('gemini:generateContent', { contents }, { 'x-goog-api-key': paying });
    expect(answer.status).toBe(200);
    expect(upstream.requests.at(-1)!.body.generationConfig).toEqual({ maxOutputTokens: 1_000 });
  });

  test('keeps several candidates, and other wires refuse them', async () => {
    const two = {
      candidates: [
        candidate('one', { finishReason: 'STOP' }),
        { ...candidate('two', { finishReason: 'STOP' }), index: 1 },
      ],
      usageMetadata,
    };
    upstream.answer('hidden-gemini', answerText(JSON.stringify(two)));
    const body = { contents, generationConfig: { candidateCount: 2 } };
    const answer = await generate('gemini:generateContent', body);
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: two });
    const other = await generate('plain:generateContent', body);
    expect({ status: other.status, param: other.body.error.details[0].metadata.param }).toEqual({
      status: 400,
      param: 'generationConfig.candidateCount',
    });
    const most = await generate('gemini:generateContent', {
      contents,
      generationConfig: { candidateCount: 9 },
    });
    expect(most.status).toBe(400);
  });

  test('loses what the gateway never passes on, and what the model refuses', async () => {
    const tools = [{ functionDeclarations: [{ name: 'a' }] }, { google_search: {} }];
    const unpriced = await generate('gemini:generateContent', { contents, tools });
    expect(unpriced.headers.get('x-svc-translation-losses')).toBe('web-search');
    expect(upstream.requests.at(-1)!.body.tools).toEqual([tools[0]]);
    for (const only of [[{ googleSearch: {} }], [{ GoogleSearch: {} }], [{ urlContext: {} }]])
      expect((await generate('gemini:generateContent', { contents, tools: only })).status).toBe(422);
    upstream.answer('hidden-searching', answerText(wholeText));
    const passed = await generate('searching:generateContent', { contents, tools });
    expect({ status: passed.status, tools: upstream.requests.at(-1)!.body.tools }).toEqual({
      status: 200,
      tools,
    });
    const cased = {
      contents,
      generationConfig: { MaxOutputTokens: 9, maxoutputtokens: 9, topK: 1 },
      Tools: [],
    };
    expect((await generate('gemini:generateContent', cased)).status).toBe(200);
    expect(upstream.requests.at(-1)!.body).toEqual({ contents, generationConfig: { topK: 1 } });
    for (const body of [
      { contents, cachedContent: 'cachedContents/one' },
      { contents: [{ parts: [{ fileData: { fileUri: 'files/one' } }] }] },
      { contents, generationConfig: { routingConfig: {} } },
    ])
      expect([400, 422]).toContain((await generate('gemini:generateContent', body)).status);
    const twice = await generate('gemini:generateContent', {
      contents,
      generationConfig: {},
      generation_config: {},
    });
    expect({ status: twice.status, param: twice.body.error.details[0].metadata.param }).toEqual({
      status: 400,
      param: 'generationConfig',
    });
    upstream.answer('hidden-simple', answerText(wholeText));
    const thinking = { contents, generationConfig: { thinkingConfig: { thinkingBudget: 100 }, topK: 1 } };
    const simple = await generate('simple:generateContent', thinking);
    expect(simple.headers.get('x-svc-translation-losses')).toBe('thinking-budget');
    expect(upstream.requests.at(-1)!.body).toEqual({ contents, generationConfig: { topK: 1 } });
    upstream.answer('hidden-refusing', answerText(wholeText));
    const options = { contents, generationConfig: { temperature: 1, topK: 1 } };
    const refusing = await generate('refusing:generateContent', options);
    expect(refusing.headers.get('x-svc-translation-losses')).toBe('sampling');
    expect(upstream.requests.at(-1)!.body.generationConfig).toEqual({ topK: 1 });
    const stopping = { contents, generationConfig: { stopSequences: ['es'] } };
    const stopped = await generate('refusing:generateContent', stopping);
    expect(stopped.body.candidates[0].content.parts).toEqual([{ text: 'y' }]);
  });

  test('is translated if it has a signature that the gateway made for another vendor', async () => {
    const packed = Buffer.from('tollgate-replay-v1:eyJpc3N1ZXIiOiJtZXNzYWdlcyIsImRhdGEiOiJhIn0').toString(
      'base64',
    );
    const turns = [
      ...contents,
      { role: 'model', parts: [{ text: '', thought: true, thoughtSignature: packed }, { text: 'one' }] },
      ...contents,
    ];
    expect((await generate('gemini:generateContent', { contents: turns })).status).toBe(200);
    expect(upstream.requests.at(-1)!.text).not.toContain(packed);
    const own = Buffer.from('a signature of the vendor').toString('base64');
    const body = JSON.stringify({ contents: turns }).replace(packed, own);
    await generate('gemini:generateContent', body);
    expect(upstream.requests.at(-1)!.text).toBe(body);
  });

  test('gets the names of the gateway in an error, and fields by their own names', async () => {
    upstream.answer('hidden-gemini', () =>
      Response.json(
        {
          error: {
            code: 400,
            status: 'INVALID_ARGUMENT',
            message: "Invalid value at 'generation_config.seed' (TYPE_INT32) for hidden-gemini",
          },
        },
        { status: 400 },
      ),
    );
    const answer = await generate('gemini:generateContent', { contents, generationConfig: { seed: 7 } });
    expect(answer.status).toBe(400);
    expect(answer.body.error.status).toBe('INVALID_ARGUMENT');
    expect(answer.text).not.toContain('hidden');
  });
});

describe("a stream of Google's own wire", () => {
  const frames = [
    { candidates: [candidate('one ')], usageMetadata: { promptTokenCount: 4 }, ...names },
    { candidates: [candidate('two', { unknown: 1 })], ...names },
    { candidates: [candidate('', { finishReason: 'STOP' })], usageMetadata, ...names },
  ];
  const text = frames.map((frame) => `data: ${JSON.stringify(frame)}\r\n\r\n`).join('');
  const stream = (sent: string) => upstream.answer('hidden-gemini', () => streamed(sent));
  const chunksIn = (sse: string): Json[] =>
    sse
      .trim()
      .split('\n\n')
      .map((frame) => JSON.parse(frame.replace('data: ', '')));

  test('passes as events and as a JSON array, and is charged', async () => {
    stream(text);
    const events = await generate('gemini:streamGenerateContent?alt=sse');
    const id = chunksIn(events.text)[0].responseId;
    expect(events.text).toBe(renamed(text.replaceAll('\r\n', '\n'), 'gemini', id));
    expect(upstream.requests.at(-1)).toMatchObject({
      path: '/v1/models/hidden-gemini:streamGenerateContent',
      query: '?alt=sse',
      body: { contents },
    });
    const array = await generate('gemini:streamGenerateContent');
    const own = array.body[0].responseId;
    expect(array.body).toEqual(
      frames.map((frame) => ({ ...frame, modelVersion: 'gemini', responseId: own })),
    );
    expect((await entryOf(events)).microcredits).toBe(CHARGE);
    expect((await entryOf(array)).microcredits).toBe(CHARGE);
  });

  test('shows the estimated usage of an upstream that reports none', async () => {
    stream(
      frames.map(({ usageMetadata: _, ...frame }: Json) => `data: ${JSON.stringify(frame)}\n\n`).join(''),
    );
    const chunks = chunksIn((await generate('gemini:streamGenerateContent?alt=sse')).text);
    expect(chunks.map(({ usageMetadata: shown }) => shown?.totalTokenCount > 0)).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('keeps its several candidates, and ends when each of them has ended', async () => {
    const two = (index: number, said: string, more = {}) =>
      `data: ${JSON.stringify({ candidates: [{ ...candidate(said, more), index }], ...names })}\n\n`;
    const all = [
      two(0, 'a'),
      two(1, 'b'),
      two(0, '', { finishReason: 'STOP' }),
      two(1, 'c', { finishReason: 'STOP' }),
    ];
    const body = { contents, generationConfig: { candidateCount: 2 } };
    stream(all.join(''));
    const answer = await generate('gemini:streamGenerateContent?alt=sse', body);
    expect(chunksIn(answer.text).map(({ candidates }) => candidates[0].index)).toEqual([0, 1, 0, 1]);
    stream(all.slice(0, 3).join(''));
    const cut = await generate('gemini:streamGenerateContent?alt=sse', body);
    expect(chunksIn(cut.text).at(-1)!.error).toMatchObject({ code: 503 });
  });

  test('that breaks ends with an error and costs nothing', async () => {
    for (const end of [
      '',
      'data: {"error":{"code":500,"message":"hidden","status":"INTERNAL"}}\n\n',
      'data: {"candi\n\n',
    ]) {
      stream(`data: ${JSON.stringify(frames[0])}\n\n${end}`);
      const answer = await generate('gemini:streamGenerateContent?alt=sse');
      expect(chunksIn(answer.text).at(-1)!.error).toMatchObject({ code: 503, status: 'UNAVAILABLE' });
      expect(answer.text).not.toContain('hidden');
      expect(await entryOf(answer)).toBeUndefined();
    }
  });
});

describe('a prompt that the vendor blocks', () => {
  const promptFeedback = {
    blockReason: 'PROHIBITED_CONTENT',
    safetyRatings: [{ category: 'X', blocked: true }],
  };
  const blocked = { promptFeedback, usageMetadata: { promptTokenCount: 4, totalTokenCount: 4 }, ...names };

  test('is answered with the reason, whole and as a stream, and costs nothing', async () => {
    upstream.answer('hidden-gemini', ({ query }) =>
      query === '' ? Response.json(blocked) : streamed(`data: ${JSON.stringify(blocked)}\n\n`),
    );
    const one = await generate('gemini:generateContent');
    const { responseId } = one.body;
    expect({ status: one.status, body: one.body }).toEqual({
      status: 200,
      body: { ...blocked, modelVersion: 'gemini', responseId },
    });
    expect(responseId).not.toContain('hidden');
    const events = await generate('gemini:streamGenerateContent?alt=sse');
    expect(JSON.parse(events.text.slice('data: '.length)).promptFeedback).toEqual(promptFeedback);
    const array = await generate('gemini:streamGenerateContent');
    expect(array.body).toEqual([expect.objectContaining({ promptFeedback, modelVersion: 'gemini' })]);
    for (const answer of [one, events, array]) expect(await entryOf(answer)).toBeUndefined();
  });

  test('on another wire has no more than the reason SAFETY', async () => {
    upstream.answer('hidden-plain', () =>
      Response.json({ error: { code: 'content_filter', message: 'hidden' } }, { status: 400 }),
    );
    const answer = await generate('plain:generateContent');
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: {
        promptFeedback: { blockReason: 'SAFETY' },
        modelVersion: 'plain',
        responseId: expect.any(String),
      },
    });
    const events = await generate('plain:streamGenerateContent?alt=sse');
    expect(events.text).toStartWith('data: {"promptFeedback"');
    expect(await entryOf(answer)).toBeUndefined();
  });
});
