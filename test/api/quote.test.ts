import { afterAll, describe, expect, test } from 'bun:test';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { type Answer, bearer, chatBody, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { wideCatalog } from '../support/wide-catalog.ts';
import { wideLimits } from '../support/wide-limits.ts';

const upstream = startRecordingUpstream();
const server = await startServer({
  config: {
    ...sampleConfig(upstream.url, wideCatalog),
    pricing: { unpriced: 'pass' },
    plans: { ...wideLimits, free: {}, starter: { requests_per_min: 2 } },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const quote = ({ key }: CreatedKey, body: Json, { query = '', ...headers }: Record<string, string> = {}) =>
  server.call(`/v1/quote${query}`, { headers: { ...bearer(key), ...headers }, body });
const quoted = async (...asked: Parameters<typeof quote>): Promise<Json> => {
  const { status, body, text } = await quote(...asked);
  expect(status).toBe(200);
  expect(status === 200 ? '' : text).toBe('');
  return body;
};
const payg = { 'x-svc-payment-mode': 'payg' };
const SMALL = 'test-small';
const ledger = async ({ account }: CreatedKey): Promise<Json[]> =>
  (await server.admin('GET', `/accounts/${account}/ledger`)).body.data;
const admitted = { admitted: true };
const refused = (status: number, code: string) =>
  expect.objectContaining({ admitted: false, status, error: expect.objectContaining({ code }) });
const chat = ({ key }: CreatedKey, model: string, fields: Json = {}): Promise<Answer> =>
  server.call('/v1/chat/completions', { headers: bearer(key), body: chatBody(model, fields) });

describe('a quote', () => {
  test('returns tokens and cost bounds without a call, a charge or a count against limits', async () => {
    const key = await server.createKey('starter');
    upstream.forget();
    for (let time = 0; time < 5; time++) {
      const body = await quoted(key, chatBody(SMALL, { max_tokens: 100 }));
      const tokens = body.estimated_input_tokens;
      expect(tokens).toBeWithin(3, 20);
      expect(body).toEqual({
        object: 'quote',
        endpoint: '/v1/chat/completions',
        model: '@svc/test-small',
        payment_mode: 'subscription',
        estimated_input_tokens: tokens,
        max_output_tokens: 100,
        credits: { lowest: (tokens * 50) / 1e6, highest: expect.any(Number) },
        price_rows: ['base'],
        admitted: true,
        checks: { plan: admitted, key_cap: admitted, credits: admitted, limits: admitted },
      });
      // For an unpublished vocabulary the bound is one token for each byte.
      const bytes = JSON.stringify(chatBody(SMALL, { max_tokens: 100 })).length;
      expect(body.credits.highest * 1e6 - 100 * 2_000).toBeWithin(bytes * 500, (bytes + 100) * 500);
    }
    expect(upstream.requests).toEqual([]);
    expect(await ledger(key)).toEqual([]);
  });

  test('is an upper bound of the later charge', async () => {
    const key = await server.createKey('max');
    const { credits } = await quoted(key, chatBody(SMALL, { max_tokens: 50 }));
    const maxInput = (credits.highest * 1e6 - 50 * 2_000) / 500;
    upstream.answer('hidden-test-small', answerWithUsage(Math.round(maxInput), 50));
    expect((await chat(key, SMALL, { max_tokens: 50 })).status).toBe(200);
    expect((await ledger(key))[0].microcredits).toBe(credits.highest * 1e6);
  });

  const turns = [{ role: 'user', content: 'hello' }];
  const bodies: [endpoint: string, body: Json, headers?: Record<string, string>][] = [
    ['/v1/chat/completions', { messages: turns }],
    ['/v1/chat/completions', { messages: turns, max_tokens: 5 }],
    ['/v1/messages', { messages: turns, max_tokens: 5, system: 'short' }],
    ['/v1/messages', { messages: turns, max_tokens: 5 }, { 'anthropic-version': '2023-06-01' }],
    [
      '/v1/messages',
      { messages: turns, max_tokens: 5, tools: [{ name: 'a', input_schema: { type: 'object' } }] },
    ],
    ['/v1/messages', { messages: turns, max_tokens: 5 }, { query: '?endpoint=/v1/messages' }],
    ['/v1/responses', { input: 'hello' }],
    ['/v1/completions', { prompt: 'hello' }],
    ['/v1/embeddings', { input: 'hello', model: 'test-vectors' }],
  ];
  for (const [endpoint, body, headers] of bodies)
    test(`accepts the body of ${endpoint} with ${Object.keys({ ...headers, ...body })}`, async () => {
      const key = await server.createKey('pro');
      const answer = await quoted(key, { model: SMALL, ...body }, headers);
      expect({ endpoint: answer.endpoint, admitted: answer.admitted }).toEqual({ endpoint, admitted: true });
      expect(answer.max_output_tokens).toEqual(
        endpoint === '/v1/embeddings' ? null : (body.max_tokens ?? (body.prompt ? 1_024 : 8_192)),
      );
    });

  test('counts all generated answers of a best_of request', async () => {
    const key = await server.createKey('starter');
    const highest = async (fields: Json) => {
      const body = { model: SMALL, prompt: ['say: hello', 'say: you'], max_tokens: 50, ...fields };
      return (await quoted(key, body)).credits.highest;
    };
    // The member itself may be read, too.
    const ofFive = await highest({ n: 5 });
    expect(await highest({ n: 2, best_of: 5 })).toBeWithin(ofFive, ofFive * 1.1);
    const ofTwo = await highest({ n: 2 });
    expect(await highest({ n: 2, best_of: null })).toBeWithin(ofTwo, ofTwo * 1.1);
  });

  test('refuses an invalid request with the path of the field', async () => {
    const key = await server.createKey('pro');
    const body = chatBody(SMALL);
    expectRefusal(await quote(key, { ...body, messages: 'x' }), 400, 'invalid_request', 'messages');
    expectRefusal(await quote(key, { model: SMALL }), 400, 'invalid_request');
    expectRefusal(await quote(key, chatBody('nobody')), 404, 'unknown_model', 'model');
    expectRefusal(await quote(key, chatBody('test-vectors')), 422, 'route_not_qualified', 'model');
    expectRefusal(await quote(key, body, { query: '?endpoint=/v1/x' }), 400, 'invalid_request', 'endpoint');
    const wrong = { 'x-svc-payment-mode': 'cash' };
    expectRefusal(await quote(key, body, wrong), 400, 'invalid_request', 'x-svc-payment-mode');
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
    const seen = await quote(key, { model: SMALL, messages: [{ role: 'user', content: [image] }] });
    expect(seen.status).toBe(400);
    const unknown = { model: SMALL, input: 'x', previous_response_id: 'resp_none' };
    expectRefusal(await quote(key, unknown), 404, 'not_found', 'previous_response_id');
    expectRefusal(await quote({ ...key, key: 'svc_none' }, body), 401, 'invalid_api_key');
  });
});

describe('a quote reports whether the request would be served now', () => {
  test('by the plan, and still has the price', async () => {
    const key = await server.createKey('free');
    const {
      admitted: isAdmitted,
      checks,
      credits,
    } = await quoted(key, chatBody('test-plain', { max_tokens: 9 }));
    expect({ isAdmitted, plan: checks.plan }).toEqual({
      isAdmitted: false,
      plan: refused(400, 'plan_upgrade_required'),
    });
    expect(checks).toMatchObject({ key_cap: admitted, credits: admitted, limits: admitted });
    expect(credits.highest).toBeGreaterThan(0.018);
    const special = await quoted(await server.createKey('scale'), chatBody('test-payg'));
    expect(special.checks.plan).toEqual(refused(400, 'payg_required'));
    const long = await quoted(
      key,
      chatBody(SMALL, { messages: [{ role: 'user', content: 'word '.repeat(30_000) }] }),
    );
    expect(long.checks.plan).toEqual(refused(400, 'input_exceeds_plan'));
    const limited = await server.createKey('pro', { allowed_models: ['test-plain'] });
    expect((await quoted(limited, chatBody(SMALL))).checks.plan).toEqual(refused(403, 'permission_denied'));
  });

  test('by monthly and purchased credit, at the rates of each', async () => {
    const key = await server.createKey('max');
    upstream.answer('hidden-test-small', answerWithUsage(25_000 * 2_000, 0));
    expect((await chat(key, SMALL)).status).toBe(200);
    const body = chatBody('test-plain', { max_tokens: 100 });
    const usedUp = await quoted(key, body);
    expect({ admitted: usedUp.admitted, credits: usedUp.checks.credits }).toEqual({
      admitted: false,
      credits: refused(402, 'allowance_exhausted'),
    });
    expect(usedUp.checks.credits.error).toMatchObject({ limit: 25_000, used_percent: 100 });
    const unpaid = await quoted(key, body, payg);
    expect(unpaid.checks.credits).toEqual(refused(402, 'paid_credit_required'));
    expect(unpaid.credits.highest).toBeCloseTo(usedUp.credits.highest * 2, 5);
    await server.purchase(key.account, 2);
    expect(await quoted(key, body, payg)).toMatchObject({ admitted: true, payment_mode: 'payg' });
    const dear = await quoted(key, chatBody('test-plain', { max_tokens: 8_000, n: 64 }), payg);
    expect(dear.checks.credits).toEqual(refused(402, 'insufficient_paid_credit'));
  });

  test('with the longest affordable answer, if the request sets no ceiling', async () => {
    const key = await server.createKey('payg');
    const given = { credits: 4, balance: 'purchased', reason: 'a test' };
    await server.admin('POST', `/accounts/${key.account}/adjustments`, given);
    const { admitted: isAdmitted, max_output_tokens, credits } = await quoted(key, chatBody(SMALL));
    expect({ isAdmitted, highest: credits.highest }).toEqual({ isAdmitted: true, highest: 4 });
    expect(max_output_tokens).toBeWithin(1_900, 2_000);
    upstream.forget();
    upstream.answer('hidden-test-small', answerWithUsage(7, 3));
    expect((await chat(key, SMALL)).status).toBe(200);
    expect(upstream.requests[0]!.body.max_tokens).toBe(max_output_tokens);
  });

  test("by the key's cap", async () => {
    const key = await server.createKey('pro', { monthly_cap_usd: 0.01 });
    const { checks } = await quoted(key, chatBody(SMALL, { max_tokens: 8_000 }));
    expect(checks).toMatchObject({ plan: admitted, credits: admitted, limits: admitted });
    expect(checks.key_cap).toEqual(refused(402, 'key_budget_exhausted'));
  });

  test('by the limits, with the wait', async () => {
    const key = await server.createKey('starter');
    upstream.answer('hidden-test-small', answerWithUsage(7, 3));
    for (let time = 0; time < 2; time++) expect((await chat(key, SMALL)).status).toBe(200);
    const { admitted: isAdmitted, checks } = await quoted(key, chatBody(SMALL));
    expect({ isAdmitted, limits: checks.limits }).toEqual({
      isAdmitted: false,
      limits: refused(429, 'rate_limit_exceeded'),
    });
    expect(checks.limits.retry_after).toBeWithin(1, 62);
    expect((await chat(key, SMALL)).status).toBe(429);
  });
});

describe("a quote for Gemini's endpoints", () => {
  const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
  const generationConfig = { maxOutputTokens: 100 };
  const at = (method: string, model = '{id}') => ({
    query: `?endpoint=${encodeURIComponent(`/v1beta/models/${model}:${method}`)}`,
  });

  test('has the model in the path or in the body, and equals that of another dialect', async () => {
    const key = await server.createKey('starter');
    const chatQuote = await quoted(key, chatBody(SMALL, { max_tokens: 100 }));
    const named = await quoted(key, { contents, generationConfig }, at('streamGenerateContent', SMALL));
    expect(named).toMatchObject({
      endpoint: '/v1beta/models/{id}:streamGenerateContent',
      model: chatQuote.model,
      max_output_tokens: 100,
    });
    const body = { model: `models/${SMALL}`, contents, generation_config: { max_output_tokens: 100 } };
    for (const query of [at('generateContent'), at('generateContent', '{model}'), {}])
      expect((await quoted(key, body, query)).credits.highest).toBeCloseTo(named.credits.highest, 2);
  });

  test('names the field that is wrong, and knows embeddings', async () => {
    const key = await server.createKey('starter');
    const missing = await quote(key, { contents }, at('generateContent'));
    expectRefusal(missing, 400, 'invalid_request', 'model');
    const wrong = await quote(key, { contents: [] }, at('generateContent', SMALL));
    expectRefusal(wrong, 400, 'invalid_request', 'contents');
    const requests = [{ content: { parts: [{ text: 'a' }] } }];
    const vectors = await quoted(key, { requests }, at('batchEmbedContents', 'test-vectors'));
    expect(vectors.max_output_tokens).toBeNull();
    expectRefusal(await quote(key, { contents }, at('nothing', SMALL)), 400, 'invalid_request', 'endpoint');
  });
});
