import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { type Answer, bearer, chatBody, type Json } from '../support/call.ts';
import { expectRefusal, expectRetryHeaders } from '../support/expect-refusal.ts';
import { answerSlowly, answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { wideCatalog } from '../support/wide-windows.ts';

const upstream = startRecordingUpstream();
const config = { ...sampleConfig(upstream.url, wideCatalog), plans: wideLimits };
const server = await startServer({
  config,
  environment: { TOLLGATE_TEST_CLOCK: '1' },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
afterEach(() => uses(7, 3));

/** USD per million tokens of test-small: 1, from a cache 0.1, output 4. A token at a dollar is 500 micro-credits. */
const SMALL = 'test-small';
const uses = (...usage: Parameters<typeof answerWithUsage>) => {
  for (const model of ['small', 'plain', 'max'])
    upstream.answer(`hidden-test-${model}`, answerWithUsage(...usage));
};
const chat = ({ key }: CreatedKey, { mode, model = SMALL, ...fields }: Json = {}): Promise<Answer> =>
  server.call('/v1/chat/completions', {
    headers: { ...bearer(key), ...(mode && { 'x-svc-payment-mode': mode }) },
    body: chatBody(model, fields),
  });
const chatWell = async (key: CreatedKey, fields?: Json): Promise<Answer> => {
  const answer = await chat(key, fields);
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer;
};
const ledger = async ({ account }: CreatedKey): Promise<Json[]> =>
  (await server.admin('GET', `/accounts/${account}/ledger?limit=1000`)).body.data;
const account = async ({ account }: CreatedKey): Promise<Json> =>
  (await server.admin('GET', `/accounts/${account}`)).body;
const patch = (key: CreatedKey, change: Json) => server.admin('PATCH', `/accounts/${key.account}`, change);
const give = (key: CreatedKey, what: string, body: Json) =>
  server.admin('POST', `/accounts/${key.account}/${what}`, body);
const percentOf = ({ headers }: Answer) => headers.get('x-svc-monthly-used-percent');
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

function expectExhausted({ status, headers, body }: Answer): void {
  expect([status, body.error?.code]).toEqual([402, 'allowance_exhausted']);
  expect(Object.keys(body.error).slice(4)).toEqual(['limit', 'used_percent', 'resets_at', 'upgrade_url']);
  expectRetryHeaders({ status, headers } as Answer);
}

/** One whose monthly credits are used up to the last one and beyond. */
async function usedUp(plan: string, credits: number): Promise<CreatedKey> {
  const key = await server.createKey(plan);
  uses(credits * 2_000, 0);
  await chatWell(key);
  return key;
}

test('a request is one entry in the ledger, with its tokens, what they cost and who asked [ADM-33] [CRD-01] [CRD-02] [CRD-06]', async () => {
  const key = await server.createKey('pro');
  uses(1_000, 50, { cached: 400, reasoning: 20 });
  const { headers } = await chatWell(key);
  const entries = await ledger(key);
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({
    kind: 'usage',
    key_id: key.id,
    request_id: headers.get('x-request-id'),
    model: '@svc/test-small',
    served_model: '@svc/test-small',
    input_tokens: 1_000,
    cached_input_tokens: 400,
    output_tokens: 50,
    microcredits: 600 * 500 + 400 * 50 + 50 * 2_000,
    balance: 'monthly',
    receipt: { attempts: 1, outcome: 'complete', estimated: false },
  });
  expect((await account(key)).credits.used).toBe(0.42);
  expect(headers.get('x-svc-monthly-used-percent')).toBe('0.0');
});

test('cached input is cheaper, and as dear as any where the model has no rate for it [CRD-04] [CRD-05]', async () => {
  const key = await server.createKey('max');
  uses(100, 0, { cached: 100 });
  for (const model of [SMALL, 'test-max']) await chatWell(key, { model });
  expect((await ledger(key)).map(({ microcredits }) => microcredits)).toEqual([100 * 500, 100 * 50]);
});

test('streams are charged like whole answers, by what the upstream reports, whether the client is shown it or not [CNT-06] [CHT-17]', async () => {
  const key = await server.createKey('pro');
  uses(123_456, 789);
  expect((await chatWell(key, { stream: true })).text).not.toContain('"usage"');
  const [{ input_tokens, output_tokens, receipt }] = await ledger(key);
  expect([input_tokens, output_tokens, receipt.outcome]).toEqual([123_456, 789, 'complete']);
});

test('counting tokens, listing models and failed requests cost nothing [CNT-05] [MOD-32] [CRD-07]', async () => {
  const key = await server.createKey('pro');
  const headers = { 'x-api-key': key.key };
  const body = { model: SMALL, messages: [{ role: 'user', content: 'x' }] };
  expect((await server.call('/v1/messages/count_tokens', { headers, body })).status).toBe(200);
  expect((await server.call('/v1/models', { headers: bearer(key.key) })).status).toBe(200);
  upstream.answer('hidden-test-small', () => new Response('no', { status: 500 }));
  expect((await chat(key)).status).toBeGreaterThanOrEqual(500);
  expect((await chat(key, { model: 'nobody' })).status).toBe(404);
  expect(await ledger(key)).toEqual([]);
  expect((await account(key)).credits).toEqual({ limit: 10_000, used: 0, remaining: 10_000 });
});

test('embeddings draw credits by their input [EMB-06]', async () => {
  const key = await server.createKey('pro');
  const vector = { object: 'embedding', index: 0, embedding: Array(768).fill(0.1) };
  upstream.answer('hidden-test-vectors', ({ body: { model } }) =>
    Response.json({ object: 'list', model, data: [vector], usage: { prompt_tokens: 40, total_tokens: 40 } }),
  );
  const asked = { headers: bearer(key.key), body: { model: 'test-vectors', input: 'hello' } };
  expect((await server.call('/v1/embeddings', asked)).status).toBe(200);
  expect(await ledger(key)).toMatchObject([{ input_tokens: 40, output_tokens: 0, microcredits: 40 * 500 }]);
});

describe('monthly credits', () => {
  test('are refused from used up on, with what there is to know, in both envelopes [CRD-08] [CRD-13] [CRD-14]', async () => {
    const key = await usedUp('starter', 2_500);
    const refused = await chat(key);
    expectExhausted(refused);
    const fields = {
      limit: 2_500,
      used_percent: 100,
      resets_at: (await account(key)).cycle_ends_at,
      upgrade_url: `${server.url}/#plans`,
    };
    expect(refused.body.error).toMatchObject({ type: 'billing_error', ...fields });
    expect((await fetch(fields.upgrade_url)).status).toBe(200);
    const headers = { 'x-api-key': key.key };
    const body = { model: SMALL, max_tokens: 5, messages: [{ role: 'user', content: 'x' }] };
    const other = await server.call('/v1/messages', { headers, body });
    expect([other.status, other.body.error]).toEqual([402, expect.objectContaining(fields)]);
  });

  test('Free has its own word for it, and its credits never come back [CRD-15] [VER-07] [PLN-02]', async () => {
    const key = await usedUp('free', 200);
    expectRefusal(await chat(key), 402, 'credit_used_up');
    await patch(key, { cycle_started_at: daysAgo(70) });
    expectRefusal(await chat(key), 402, 'credit_used_up');
    expect((await account(key)).credits).toEqual({ limit: 200, used: 200, remaining: 0 });
  });

  test('come back with the next cycle, which the ledger tells of [CRD-09] [PLN-11]', async () => {
    const key = await usedUp('starter', 2_500);
    expectExhausted(await chat(key));
    await patch(key, { cycle_started_at: daysAgo(40) });
    expect((await account(key)).credits).toEqual({ limit: 2_500, used: 0, remaining: 2_500 });
    await chatWell(key);
    expect((await ledger(key)).map(({ kind }) => kind)).toEqual(['usage', 'renewal', 'usage']);
  });

  test('come with an upgrade at once, which keeps the dates and what was used [CRD-10] [PLN-34] [PLN-13]', async () => {
    const key = await usedUp('starter', 2_500);
    const before = await account(key);
    await patch(key, { plan: 'pro' });
    await chatWell(key, { max_tokens: 1 });
    const { credits, cycle_started_at, cycle_ends_at } = await account(key);
    expect(credits).toMatchObject({ limit: 10_000, used: 5_000 });
    expect([cycle_started_at, cycle_ends_at]).toEqual([before.cycle_started_at, before.cycle_ends_at]);
  });

  test('come with a grant [ADM-29]', async () => {
    const key = await usedUp('starter', 2_500);
    expectExhausted(await chat(key));
    expect((await give(key, 'grants', { credits: 100, reason: 'sorry' })).body.credits.limit).toBe(2_600);
    uses(7, 3);
    await chatWell(key);
    const [, grant] = await ledger(key);
    expect(grant).toMatchObject({
      kind: 'grant',
      microcredits: 100_000_000,
      balance: 'monthly',
      reason: 'sorry',
    });
  });

  test('may end below zero by what was in flight, which finishes [CRD-12]', async () => {
    const key = await server.createKey('starter');
    upstream.forget();
    const slow = answerSlowly();
    upstream.answer('hidden-test-plain', slow.answer);
    const inFlight = chat(key, { model: 'test-plain', stream: true });
    await waitFor(() => upstream.requests.some(({ body }) => body.stream));
    upstream.answer('hidden-test-small', answerWithUsage(2_600 * 2_000, 0));
    await chatWell(key);
    expectExhausted(await chat(key));
    slow.release();
    expect((await inFlight).text).toContain('[DONE]');
    expect((await account(key)).credits.remaining).toBe(0);
  });

  test('the share that is used is on every answer, the figure of the refusal [CRD-33]', async () => {
    const key = await server.createKey('starter');
    uses(312 * 2_000, 0);
    const { headers } = await chatWell(key);
    expect(headers.get('x-svc-monthly-used-percent')).toBe('12.5');
    expect(percentOf(await server.call('/v1/models', { headers: bearer(key.key) }))).toBe('12.5');
    expect(percentOf(await chat(key, { model: 'nobody' }))).toBe('12.5');
    uses(2_300 * 2_000, 0);
    await chatWell(key);
    const refused = await chat(key);
    expect(percentOf(refused)).toBe('104.5');
    expect(refused.body.error.used_percent).toBe(104.5);
    await server.purchase(key.account, 2);
    expect(percentOf(await chatWell(key, { mode: 'payg', max_tokens: 5 }))).toBeNull();
  });
});

describe("Free's tokens of a day", () => {
  test('are 500,000: from them on requests wait for the next day, or for an upgrade [CRD-16] [CRD-17]', async () => {
    const key = await server.createKey('free');
    uses(499_999, 0, { cached: 499_999 }); // 25 of its 200 credits
    await chatWell(key);
    uses(1, 0);
    await chatWell(key);
    const { message } = expectRefusal(await chat(key), 402, 'token_allowance_exhausted');
    expect(message).toContain('500,000 tokens');
    const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
    expect(message).toContain(new Date(midnight).toISOString());
    const other = await server.createKey('free', { account: key.account });
    expectRefusal(await chat(other), 402, 'token_allowance_exhausted');
    await server.purchase(key.account, 2);
    uses(10_000, 0);
    await chatWell(key, { mode: 'payg', max_tokens: 5 });
    await patch(key, { plan: 'starter' });
    await chatWell(key);
  });
});

describe('purchased credit', () => {
  test('is bought in packs and any amount between 2 and 1,000 USD, 500 credits each [CRD-27] [CRD-28] [CRD-29] [ADM-30]', async () => {
    for (const usd of [2, 5, 19.99, 20, 50, 777, 1_000]) {
      const key = await server.createKey('starter');
      const { status, body } = await give(key, 'purchases', { usd });
      expect([status, body.purchased_credits]).toEqual([201, usd * 500]);
      expect(await ledger(key)).toMatchObject([
        { kind: 'purchase', balance: 'purchased', microcredits: usd * 5e8 },
      ]);
    }
    const key = await server.createKey('starter');
    for (const usd of [1.99, 1_000.01, -5, '5']) {
      expectRefusal(await give(key, 'purchases', { usd }), 400, 'invalid_request', 'usd');
    }
  });

  test('may have other bounds, which come with a reload', async () => {
    server.configure({ ...config, purchases: { min_usd: 10.5, max_usd: 20 } });
    expect((await server.reload()).status).toBe(200);
    const key = await server.createKey('starter');
    for (const [usd, bound] of [
      [10, 'at least 10.5'],
      [20.01, 'at most 20'],
    ]) {
      const refused = await give(key, 'purchases', { usd });
      expectRefusal(refused, 400, 'invalid_request', 'usd');
      expect(refused.body.error.message).toContain(bound);
    }
    for (const usd of [10.5, 20]) expect((await give(key, 'purchases', { usd })).status).toBe(201);
    server.configure(config);
    expect((await server.reload()).status).toBe(200);
  });

  test('is bought once by a purchase that is sent again, and not by an account that is closed', async () => {
    const key = await server.createKey('starter');
    const once = (usd: number, name: string) =>
      server.call(`/admin/v1/accounts/${key.account}/purchases`, {
        headers: { ...bearer(server.adminToken), 'idempotency-key': name },
        body: { usd },
      });
    const answers = await Promise.all([once(5, 'a'), once(5, 'a'), once(5, 'a')]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const again = await once(5, 'a');
    expect([again.headers.get('idempotency-replayed'), again.body.purchased_credits]).toEqual([
      'true',
      2_500,
    ]);
    expectRefusal(await once(6, 'a'), 409, 'idempotency_conflict');
    expect((await once(6, 'b')).body.purchased_credits).toBe(5_500);
    expectRefusal(await once(6, 'x'.repeat(201)), 400, 'invalid_request', 'Idempotency-Key');
    await patch(key, { status: 'closed' });
    expectRefusal(await give(key, 'purchases', { usd: 5 }), 403, 'account_closed');
    expect((await ledger(key)).map(({ kind }) => kind)).toEqual(['purchase', 'purchase']);
  });

  test('is spent in pay-as-you-go mode only, and then instead of monthly credits [CRD-11] [CRD-23] [CRD-24] [CRD-25]', async () => {
    const key = await usedUp('starter', 2_500);
    uses(1_000, 0);
    await server.purchase(key.account, 5);
    expectExhausted(await chat(key));
    expect((await account(key)).purchased_credits).toBe(2_500);
    await chatWell(key, { mode: 'payg', max_tokens: 5 });
    expect(await account(key)).toMatchObject({ purchased_credits: 2_499.5, credits: { used: 2_500 } });
    expect((await ledger(key))[0]).toMatchObject({ kind: 'usage', balance: 'purchased' });
  });

  test('never expires [CRD-26] [CRD-25]', async () => {
    const key = await server.createKey('starter');
    await server.purchase(key.account, 5);
    await patch(key, { cycle_started_at: daysAgo(400) });
    expect((await account(key)).purchased_credits).toBe(2_500);
  });

  test('has its own rates where the catalog has, else the listed ones [CRD-30]', async () => {
    const key = await server.createKey('max');
    await server.purchase(key.account, 50);
    uses(100, 10);
    for (const model of ['test-plain', 'test-max'])
      await chatWell(key, { model, mode: 'payg', max_tokens: 10 });
    await chatWell(key, { model: 'test-plain' });
    const costs = (await ledger(key)).map(({ microcredits }) => microcredits);
    expect(costs.slice(0, 3)).toEqual([
      100 * 500 + 10 * 2_000,
      100 * 500 + 10 * 2_000,
      100 * 1_000 + 10 * 4_000,
    ]);
  });

  test('has to be there: none, and too little [CRD-18] [CRD-19] [CRD-20]', async () => {
    const key = await server.createKey('payg');
    expectRefusal(await chat(key), 402, 'paid_credit_required');
    await server.purchase(key.account, 2);
    // 1,000 credits are 500,000 tokens of output, less a few of input.
    expectRefusal(
      await chat(key, { model: 'test-plain', max_tokens: 8_000, n: 64 }),
      402,
      'insufficient_paid_credit',
    );
    await chatWell(key, { max_tokens: 8_000 });
  });

  test('is held for requests under way, so that two of them never spend the same [CRD-20] [CRD-35]', async () => {
    const key = await server.createKey('payg');
    await give(key, 'adjustments', { credits: 20, balance: 'purchased', reason: 'a test' });
    upstream.forget();
    const slow = answerSlowly();
    upstream.answer('hidden-test-small', slow.answer);
    const first = chat(key, { max_tokens: 8_000, stream: true }); // 16 credits and a little
    await waitFor(() => upstream.requests.some(({ body }) => body.stream));
    expectRefusal(await chat(key, { model: 'test-max', max_tokens: 8_000 }), 402, 'insufficient_paid_credit');
    slow.release();
    await first;
    uses(1_000_000, 8_000); // far more input than anybody could estimate
    await chatWell(key, { max_tokens: 8_000 });
    expect((await account(key)).purchased_credits).toBe(0);
    expectRefusal(await chat(key), 402, 'paid_credit_required');
  });

  test('pays for an answer as long as it lasts, where the request names no ceiling [CRD-34] [CRD-20]', async () => {
    const key = await server.createKey('payg');
    await give(key, 'adjustments', { credits: 4, balance: 'purchased', reason: 'a test' });
    upstream.forget();
    await chatWell(key);
    const { max_tokens } = upstream.requests[0]!.body;
    expect(max_tokens).toBeGreaterThan(1_900);
    expect(max_tokens).toBeLessThan(2_000);
    await give(key, 'adjustments', { credits: -3.5, balance: 'purchased', reason: 'a test' });
    expectRefusal(await chat(key), 402, 'insufficient_paid_credit');
  });

  test('is what an account without a plan has, which cannot ask for more [CRD-21] [PLN-07]', async () => {
    const key = await server.createKey('payg');
    await server.purchase(key.account, 2);
    expectRefusal(await chat(key, { mode: 'subscription' }), 402, 'subscription_required');
    expectRefusal(await give(key, 'grants', { credits: 5, reason: 'x' }), 409, 'conflict');
    expect(await account(key)).toMatchObject({ credits: { limit: 0, used: 0 }, purchased_credits: 1_000 });
  });

  test("a key's setting stands behind the header [CRD-37] [CRD-22] [CRD-38]", async () => {
    const key = await server.createKey('pro', { payg: true });
    await server.purchase(key.account, 2);
    await chatWell(key, { max_tokens: 5 });
    await chatWell(key, { mode: 'subscription' });
    expect((await ledger(key)).slice(0, 2).map(({ balance }) => balance)).toEqual(['monthly', 'purchased']);
    expectRefusal(await chat(key, { mode: 'credit' }), 400, 'invalid_request', 'x-svc-payment-mode');
  });

  test('opens every model to every plan [PLN-25]', async () => {
    const key = await server.createKey('free');
    await server.purchase(key.account, 50);
    for (const model of ['test-plain', 'test-vision', 'test-max', 'test-payg'])
      await chatWell(key, { model, mode: 'payg', max_tokens: 5 });
  });
});

describe("a key's cap", () => {
  test('stops this key and no other, and comes off with a higher one [CRD-31] [CRD-32]', async () => {
    const key = await server.createKey('pro', { monthly_cap_usd: 0.02 }); // 10 credits
    const other = await server.createKey('pro', { account: key.account });
    uses(8_000, 2_000);
    await chatWell(key, { max_tokens: 2_000 });
    expectRefusal(await chat(key, { max_tokens: 2_000 }), 402, 'key_budget_exhausted');
    await chatWell(other);
    await server.admin('PATCH', `/keys/${key.id}`, { monthly_cap_usd: 1 });
    await chatWell(key);
  });

  test('is no discount on monthly credits: a subscriber is charged in full for whatever was answered [CRD-41] [CRD-03]', async () => {
    const key = await server.createKey('pro', { monthly_cap_usd: 0.001 }); // half a credit
    uses(100_000, 20, { cached: 1_000 });
    const cost = 99_000 * 500 + 1_000 * 50 + 20 * 2_000;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => chat(key, { max_tokens: 20, stream: index % 2 === 0 })),
    );
    const served = answers.filter(({ status }) => status === 200).length;
    expect(served).toBeGreaterThan(1);
    expectRefusal(await chat(key, { max_tokens: 20 }), 402, 'key_budget_exhausted');
    const entries = await ledger(key);
    expect(entries.map(({ microcredits }) => microcredits)).toEqual(Array(served).fill(cost));
    expect(entries.every(({ shortfall_microcredits }) => shortfall_microcredits === 0)).toBe(true);
    expect((await account(key)).credits.used * 1e6).toBe(served * cost);
    const usage = async () => (await server.call('/v1/usage?by=key', { headers: bearer(key.key) })).body;
    const { key: month, data } = await usage();
    expect([month.month_spent_usd, data[0].microcredits]).toEqual([0.001, served * cost]);
    await server.admin('PATCH', `/keys/${key.id}`, { monthly_cap_usd: 0.002 });
    await chatWell(key, { max_tokens: 20 });
    expect((await usage()).key.month_spent_usd).toBe(0.002);
    expect((await server.admin('GET', '/ledger/verify')).body.faults).toEqual([]);
  });

  test('is never passed, and ceilings are as low as it needs [CRD-36] [CRD-32]', async () => {
    const key = await server.createKey('pro', { monthly_cap_usd: 0.01 }); // 5 credits
    await server.purchase(key.account, 5);
    expectRefusal(await chat(key, { max_tokens: 8_000 }), 402, 'key_budget_exhausted');
    upstream.forget();
    uses(1_000_000, 8_000);
    await chatWell(key, { mode: 'payg' });
    expect(upstream.requests[0]!.body.max_tokens).toBeLessThan(2_500);
    expectRefusal(await chat(key), 402, 'key_budget_exhausted');
    const spent = (await ledger(key)).filter(({ kind }) => kind === 'usage');
    expect(spent.map(({ microcredits }) => microcredits)).toEqual([5_000_000]);
  });
});

describe('streams', () => {
  test('that the client left cost what had been produced until then [STR-23] [CRD-07]', async () => {
    const key = await server.createKey('pro');
    upstream.forget();
    const slow = answerSlowly();
    upstream.answer('hidden-test-small', slow.answer);
    const abort = new AbortController();
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: bearer(key.key),
      body: JSON.stringify(chatBody(SMALL, { stream: true })),
      signal: abort.signal,
    });
    await response.body!.getReader().read();
    abort.abort();
    let entries: Json[] = [];
    while (entries.length === 0) entries = await ledger(key);
    expect(entries).toMatchObject([{ kind: 'usage', receipt: { outcome: 'left', estimated: true } }]);
    expect(entries[0].output_tokens).toBeGreaterThan(0);
    expect(entries[0].input_tokens).toBeGreaterThan(0);
  });

  test('that the upstream broke cost nothing, and free what was held [STR-26] [CRD-07]', async () => {
    const key = await server.createKey('payg');
    await give(key, 'adjustments', { credits: 17, balance: 'purchased', reason: 'a test' });
    const broken = await answerWell({ body: { model: 'x', stream: true } } as never);
    const text = (await broken.text()).split('\n\n').slice(0, 2).join('\n\n');
    const events = { headers: { 'content-type': 'text/event-stream' } };
    upstream.answer('hidden-test-small', () => new Response(`${text}\n\n`, events));
    for (let round = 0; round < 2; round++) {
      const { status, text } = await chat(key, { stream: true, max_tokens: 8_000 });
      expect([status, text.includes('"error"')]).toEqual([200, true]);
    }
    expect((await ledger(key)).filter(({ kind }) => kind === 'usage')).toEqual([]);
    expect((await account(key)).purchased_credits).toBe(17);
  });
});

test('usage adds up to the ledger by model, key and day [ADM-34]', async () => {
  const key = await server.createKey('max');
  const other = await server.createKey('max', { account: key.account });
  for (const [who, model] of [
    [key, SMALL],
    [key, 'test-max'],
    [other, SMALL],
  ] as const)
    await chatWell(who, { model });
  const total = (await ledger(key)).reduce((sum, { microcredits }) => sum + microcredits, 0);
  for (const [by, name, count] of [
    ['model', 'model', 2],
    ['key', 'key_id', 2],
    ['day', 'day', 1],
  ] as const) {
    const { data } = (await server.admin('GET', `/accounts/${key.account}/usage?by=${by}`)).body;
    expect(data).toHaveLength(count);
    expect(data.every((row: Json) => typeof row[name] === 'string')).toBe(true);
    expect(data.reduce((sum: number, row: Json) => sum + row.microcredits, 0)).toBe(total);
  }
  const past = await server.admin('GET', `/accounts/${key.account}/usage?to=2020-01-01`);
  expect(past.body.data).toEqual([]);
  for (const query of ['by=hour', 'from=yesterday', 'to=2026-13-01']) {
    const refused = await server.admin('GET', `/accounts/${key.account}/usage?${query}`);
    expectRefusal(refused, 400, 'invalid_request', query.split('=')[0]!);
  }
});

test('the ledger is paged, and verifies [ADM-33]', async () => {
  const key = await server.createKey('max');
  for (let request = 0; request < 3; request++) await chatWell(key);
  const all = await ledger(key);
  const page = (await server.admin('GET', `/accounts/${key.account}/ledger?limit=2`)).body;
  expect([page.data, page.has_more]).toEqual([all.slice(0, 2), true]);
  const rest = await server.admin('GET', `/accounts/${key.account}/ledger?limit=2&after=${page.last_id}`);
  expect([rest.body.data, rest.body.has_more]).toEqual([all.slice(2), false]);
  expectRefusal(
    await server.admin('GET', `/accounts/${key.account}/ledger?after=x`),
    400,
    'invalid_request',
    'after',
  );
  const verified = (await server.admin('GET', '/ledger/verify')).body;
  expect([verified.faults, verified.entries > 3]).toEqual([[], true]);
});
