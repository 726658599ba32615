import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { batchClient, flavors } from '../support/batch-client.ts';
import { type Answer, bearer, chatBody, type Json } from '../support/call.ts';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { dataOf, messagesBody } from '../support/messages-body.ts';
import { isOnPostgres } from '../support/postgres/database-of.ts';
import { purchasedCredit } from '../support/purchased-credit.ts';
import {
  answerSlowly,
  answerStatus,
  answerWell,
  startRecordingUpstream,
} from '../support/recording-upstream.ts';
import { sampleConfig, sampleModels } from '../support/sample-config.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';

/** A node knows the time of its database up to half a round trip, which takes long on a loaded machine. */
const CLOCK_ERROR_MS = isOnPostgres ? 500 : 0;
const upstream = startRecordingUpstream();
const sample = sampleConfig(upstream.url);
const provider = 'hidden-openai-chat';
const twoRoutes = {
  ...sampleModels[1],
  id: 'test-two-routes',
  routes: [
    { provider, model: 'hidden-failing', weight: 2 },
    { provider, model: 'hidden-healthy', weight: 1 },
  ],
};
const server = await startServer({
  config: {
    ...sample,
    catalog: { ...sample.catalog, models: [...sampleModels, twoRoutes] },
    plans: wideLimits,
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
afterEach(() => upstream.answer('hidden-test-small', answerWell));
const { createPayer } = purchasedCredit(server);

const SMALL = '@svc/test-small';
const setUsage = (...usage: Parameters<typeof answerWithUsage>) =>
  upstream.answer('hidden-test-small', answerWithUsage(...usage));
const ask = ({ key }: CreatedKey, id: string): Promise<Answer> =>
  server.call(`/v1/usage/${id}`, { headers: bearer(key) });
const requestIdOf = ({ headers }: Answer): string => headers.get('x-svc-request-id')!;
async function receiptOf(key: CreatedKey, id: string): Promise<Json> {
  const answer = await ask(key, id);
  expect(answer.status).toBe(200);
  expect(answer.status === 200 ? '' : answer.text).toBe('');
  expectNoTrace(answer, [upstream.port]);
  return answer.body;
}
const chatWell = async (key: CreatedKey, fields: Json = {}): Promise<Answer> => {
  const answer = await server.chat(key.key, fields.model ?? SMALL, fields);
  expect(answer.status).toBe(200);
  expect(answer.status === 200 ? '' : answer.text).toBe('');
  return answer;
};
const metric = async (name: string): Promise<number> => {
  const { text } = await server.call('/metrics');
  return Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\d+)$`, 'm').exec(text)?.[1]);
};

/** A request in each protocol, and the id in its answer. */
const requests: {
  path: string;
  body: Json;
  prefix: string;
  idIn(answer: Answer, stream: boolean): string;
}[] = [
  {
    path: '/v1/chat/completions',
    body: chatBody(SMALL, { max_tokens: 100 }),
    prefix: 'chatcmpl-',
    idIn: (answer, stream) => (stream ? dataOf(answer.text)[0] : answer.body).id,
  },
  {
    path: '/v1/messages',
    body: messagesBody(SMALL, { max_tokens: 100 }),
    prefix: 'msg_',
    idIn: (answer, stream) => (stream ? dataOf(answer.text)[0].message : answer.body).id,
  },
  {
    path: '/v1/responses',
    body: { model: SMALL, input: 'hello', max_output_tokens: 100 },
    prefix: 'resp_',
    idIn: (answer, stream) => (stream ? dataOf(answer.text)[0].response : answer.body).id,
  },
  {
    path: '/v1/completions',
    body: { model: SMALL, prompt: 'hello', max_tokens: 100 },
    prefix: 'cmpl-',
    idIn: (answer, stream) => (stream ? dataOf(answer.text)[0] : answer.body).id,
  },
];

describe.each(requests)('the receipt of a request to $path', ({ path, body, prefix, idIn }) => {
  test.each([false, true])('has every component of its charge (streamed: %p) [CRD-46]', async (stream) => {
    const key = await server.createKey('pro');
    setUsage(1_000, 50, { cached: 400, reasoning: 20 });
    const before = Date.now();
    const answer = await server.call(path, {
      headers: path === '/v1/messages' ? { 'x-api-key': key.key } : bearer(key.key),
      body: { ...body, stream },
    });
    expect(answer.status).toBe(200);
    expect(answer.status === 200 ? '' : answer.text).toBe('');
    const receipt = await receiptOf(key, requestIdOf(answer));
    expect(receipt).toEqual({
      object: 'usage.receipt',
      request_id: requestIdOf(answer),
      entry_id: expect.stringMatching(/^ent_/),
      key_id: key.id,
      endpoint: path,
      model: SMALL,
      served_model: SMALL,
      started_at: expect.stringMatching(/Z$/),
      ended_at: expect.stringMatching(/Z$/),
      tokens: {
        uncached_input: 600,
        cached_input: 400,
        cache_write_input: 0,
        output: 50,
        reasoning: 20,
        estimated: false,
      },
      price_row: 'base',
      prices: [
        { kind: 'uncached_input', tokens: 600, usd_per_mtok: 1, microcredits: 300_000 },
        { kind: 'cached_input', tokens: 400, usd_per_mtok: 0.1, microcredits: 20_000 },
        { kind: 'cache_write_input', tokens: 0, usd_per_mtok: 1, microcredits: 0 },
        { kind: 'output', tokens: 50, usd_per_mtok: 4, microcredits: 100_000 },
      ],
      max_output_tokens: 100,
      held_microcredits: 0,
      list_cost_microcredits: 420_000,
      shortfall_microcredits: 0,
      shortfall_reason: null,
      microcredits: 420_000,
      credits: 0.42,
      balance: 'monthly',
      outcome: 'complete',
      delivered: 'yes',
      explanation: 'The answer was complete. The tokens are those that the upstream counted.',
    });
    const started = Date.parse(receipt.started_at);
    const ended = Date.parse(receipt.ended_at);
    const spread = Date.now() + CLOCK_ERROR_MS;
    expect(before - CLOCK_ERROR_MS).toBeLessThanOrEqual(started);
    expect(started).toBeLessThanOrEqual(ended);
    expect(ended).toBeLessThanOrEqual(spread);
    const answerId = idIn(answer, stream);
    expect(answerId).toStartWith(prefix);
    expect(await receiptOf(key, answerId)).toEqual(receipt);
    expect(await receiptOf(key, receipt.entry_id)).toEqual(receipt);
  });
});

test('embeddings have a receipt without a ceiling [CRD-46]', async () => {
  const key = await server.createKey('pro');
  const vector = { object: 'embedding', index: 0, embedding: Array(768).fill(0.1) };
  upstream.answer('hidden-test-vectors', ({ body: { model } }) =>
    Response.json({ object: 'list', model, data: [vector], usage: { prompt_tokens: 40, total_tokens: 40 } }),
  );
  const body = { model: 'test-vectors', input: 'hello' };
  const answer = await server.call('/v1/embeddings', { headers: bearer(key.key), body });
  expect(await receiptOf(key, requestIdOf(answer))).toMatchObject({
    endpoint: '/v1/embeddings',
    max_output_tokens: null,
    tokens: { uncached_input: 40, output: 0 },
    microcredits: 40 * 500,
  });
});

test.each(flavors)('an item of a $name batch has the receipt of its answer [CRD-46]', async (flavor) => {
  const key = await server.createKey('pro');
  const stranger = await server.createKey('pro');
  const client = batchClient(server, { flavor, key: key.key });
  setUsage(1_000, 50);
  const { id } = await client.create([SMALL, SMALL], {});
  await client.ended(id);
  const lines = await client.lines(id);
  for (const name of ['item-0', 'item-1']) {
    const answerId = lines[name][flavor.answerField].id;
    expect(await receiptOf(key, answerId)).toMatchObject({
      endpoint: `${flavor.path}/{id}`,
      model: SMALL,
      key_id: key.id,
      microcredits: 600_000,
      balance: 'monthly',
      outcome: 'complete',
    });
    expectRefusal(await ask(stranger, answerId), 404, 'not_found');
  }
});

describe('a receipt', () => {
  test('is visible to every key of its account and to no other key [CRD-46]', async () => {
    const key = await server.createKey('pro');
    const id = requestIdOf(await chatWell(key));
    const receipt = await receiptOf(key, id);
    const colleague = await server.createKey('pro', { account: key.account });
    expect(await receiptOf(colleague, id)).toEqual(receipt);
    const headers = { 'x-api-key': colleague.key };
    const { body, headers: shown } = await server.call(`/v1/usage/${id}`, { headers });
    expect(body).toEqual(receipt);
    expect(shown.get('cache-control')).toBe('private, no-store');
    expectRefusal(await server.call(`/v1/usage/${id}`), 401, 'missing_api_key');
    const stranger = await server.createKey('pro');
    const refusals = [id, 'req_none', 'nonsense', '__proto__', '%F0%9F%92%A9', 'ent_', receipt.entry_id];
    for (const one of refusals) {
      const { message } = expectRefusal(await ask(stranger, one), 404, 'not_found');
      expect(message).toStartWith('No charge is recorded for this request');
    }
  });

  test('exists for usage only: a purchase has none [CRD-46]', async () => {
    const key = await createPayer(1e6);
    const { data } = (await server.admin('GET', `/accounts/${key.account}/ledger`)).body;
    expectRefusal(await ask(key, data[0].id), 404, 'not_found');
  });

  test('does not exist for a request that cost nothing [CRD-46] [CRD-07]', async () => {
    const key = await server.createKey('pro');
    upstream.answer('hidden-test-small', answerStatus(500));
    const failed = await server.chat(key.key, SMALL);
    expect(failed.status).toBeGreaterThanOrEqual(500);
    const { message } = expectRefusal(await ask(key, requestIdOf(failed)), 404, 'not_found');
    expect(message).toContain('It was free');
  });

  test('has the output ceiling that applied, set by the client or the gateway [CRD-46] [CRD-34]', async () => {
    const key = await server.createKey('pro');
    const ceilingOf = async (who: CreatedKey, fields?: Json) =>
      (await receiptOf(who, requestIdOf(await chatWell(who, fields)))).max_output_tokens;
    expect(await ceilingOf(key, { max_tokens: 77 })).toBe(77);
    expect(await ceilingOf(key, { max_tokens: 100_000 })).toBe(8_192);
    expect(await ceilingOf(key)).toBe(8_192);
    const poor = await createPayer(4e6);
    upstream.forget();
    const ceiling = await ceilingOf(poor);
    expect(ceiling).toBe(upstream.requests[0]!.body.max_tokens);
    expect(ceiling).toBeLessThan(2_000);
  });

  test('reports that the client left and that the count is an estimate [CRD-46]', async () => {
    const key = await server.createKey('pro');
    const slow = answerSlowly();
    upstream.answer('hidden-test-small', slow.answer);
    const abort = new AbortController();
    const leaving = { signal: abort.signal, begun: () => abort.abort() };
    const request = { headers: bearer(key.key), body: chatBody(SMALL, { stream: true }) };
    await server.call('/v1/chat/completions', { ...request, ...leaving }).catch(() => {});
    const entries = async () => (await server.admin('GET', `/accounts/${key.account}/ledger`)).body.data;
    await waitFor(async () => (await entries()).length > 0);
    const id = (await entries())[0].request_id;
    slow.release();
    const receipt = await receiptOf(key, id);
    expect(receipt).toMatchObject({ outcome: 'left', delivered: 'no', tokens: { estimated: true } });
    expect(receipt.explanation).toMatch(/^The client disconnected .* The tokens are an estimate/);
  });

  test('does not name the providers that were tried [CRD-46]', async () => {
    const key = await server.createKey('starter');
    upstream.answer('hidden-failing', answerStatus(500));
    upstream.answer('hidden-healthy', answerWithUsage(10, 10));
    const id = requestIdOf(await chatWell(key, { model: 'test-two-routes' }));
    const receipt = await receiptOf(key, id); // which looks for traces of either
    expect(receipt).toMatchObject({ model: 'test-two-routes', served_model: 'test-two-routes' });
    expect(Object.keys(receipt).filter((name) => /tried|attempt|provider/.test(name))).toEqual([]);
    const { body } = await server.admin('GET', `/ledger/entries/${id}`);
    expect(body.receipt.tried).toHaveLength(2);
  });
});

describe('a charge below its list cost', () => {
  test('is marked in the ledger, the receipt and the metrics when the balance ends [CRD-42] [CRD-46]', async () => {
    const key = await createPayer(2e6);
    setUsage(10_000, 50); // 5.1 credits, which the prompt did not reveal in advance
    const name = (what: string) => `tollgate_shortfall_${what}_total{bound="purchased-balance"}`;
    const postings = await metric(name('postings'));
    const missing = await metric(name('microcredits'));
    const id = requestIdOf(await chatWell(key, { max_tokens: 50 }));
    const amounts = {
      microcredits: 2_000_000,
      list_cost_microcredits: 5_100_000,
      shortfall_microcredits: 3_100_000,
    };
    const receipt = await receiptOf(key, id);
    expect(receipt).toMatchObject({
      ...amounts,
      shortfall_reason: 'purchased_balance',
      balance: 'purchased',
    });
    expect(receipt.held_microcredits).toBeGreaterThanOrEqual(50 * 2_000);
    expect(receipt.explanation).toContain('The purchased balance did not cover the list cost');
    const [entry] = (await server.admin('GET', `/accounts/${key.account}/ledger`)).body.data;
    expect(entry).toMatchObject({ ...amounts, request_id: id });
    const { microcredits: _, ...bounds } = amounts;
    expect(entry.receipt).toMatchObject({ ...bounds, shortfall_reason: 'purchased_balance' });
    expect(await metric(name('postings'))).toEqual(postings + 1);
    expect(await metric(name('microcredits'))).toEqual(missing + 3_100_000);
    expect((await server.admin('GET', '/ledger/verify')).body.faults).toEqual([]);
  });

  test("is marked when a key's cap ends in pay-as-you-go mode [CRD-42] [CRD-36]", async () => {
    const key = await server.createKey('payg', { monthly_cap_usd: 0.002 });
    await server.purchase(key.account, 5);
    setUsage(10_000, 50);
    const id = requestIdOf(await chatWell(key, { max_tokens: 50 }));
    expect(await receiptOf(key, id)).toMatchObject({
      microcredits: 1_000_000,
      list_cost_microcredits: 5_100_000,
      shortfall_microcredits: 4_100_000,
      shortfall_reason: 'key_cap',
      explanation: expect.stringContaining("The key's monthly cap did not cover the list cost"),
    });
  });
});

describe("an operator's view of a request", () => {
  const entryOf = (id: string) => server.admin('GET', `/ledger/entries/${id}`);

  test('is found by the request id, with every component of the amount [ADM-33]', async () => {
    const key = await server.createKey('pro');
    setUsage(1_000, 50, { cached: 400, reasoning: 20 });
    const { headers } = await chatWell(key);
    const { status, body } = await entryOf(headers.get('x-svc-request-id')!);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        account_id: key.account,
        id: expect.stringMatching(/^ent_/),
        at: expect.stringMatching(/Z$/),
        kind: 'usage',
        key_id: key.id,
        request_id: headers.get('x-svc-request-id'),
        model: SMALL,
        served_model: SMALL,
        input_tokens: 1_000,
        cached_input_tokens: 400,
        output_tokens: 50,
        microcredits: 420_000,
        balance: 'monthly',
        reason: null,
        list_cost_microcredits: 420_000,
        shortfall_microcredits: 0,
        receipt: {
          endpoint: '/v1/chat/completions',
          ended_at: expect.stringMatching(/Z$/),
          max_output_tokens: 8_192,
          list_cost_microcredits: 420_000,
          shortfall_microcredits: 0,
          shortfall_reason: null,
          beyond_cap_microcredits: 0,
          cache_write_input_tokens: 0,
          reasoning_tokens: 20,
          price_row: 'base',
          rates_usd_per_mtok: { input: 1, cached_input: 0.1, output: 4 },
          held_microcredits: 0,
          attempts: 1,
          outcome: 'complete',
          delivered: 'yes',
          estimated: false,
          tried: [{ provider, model: 'hidden-test-small', outcome: 'answered' }],
        },
        sequence: 1,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    expect((await entryOf(body.id)).body).toEqual(body);
    expectRefusal(await entryOf('req_none'), 404, 'not_found');
  });

  test('lists each call to a provider with its outcome and the amount held', async () => {
    const key = await server.createKey('payg');
    await server.purchase(key.account, 5);
    upstream.answer('hidden-failing', answerStatus(500));
    upstream.answer('hidden-healthy', answerWithUsage(10, 10));
    const { headers } = await chatWell(key, { model: 'test-two-routes', max_tokens: 10 });
    const { receipt } = (await entryOf(headers.get('x-svc-request-id')!)).body;
    expect(receipt).toMatchObject({
      attempts: 2,
      tried: [
        { provider, model: 'hidden-failing', outcome: 'upstream_unavailable' },
        { provider, model: 'hidden-healthy', outcome: 'answered' },
      ],
    });
    expect(receipt.held_microcredits).toBeGreaterThan(10 * 4_000);
    expect((await server.admin('GET', '/ledger/verify')).body.faults).toEqual([]);
  });
});
