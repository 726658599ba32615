import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/base/lib/units.ts';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { type Answer, bearer, chatBody } from '../support/call.ts';
import { expectExhausted, openCreditGateway, SMALL } from '../support/credit-gateway.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { messagesBody } from '../support/messages-body.ts';
import { answerSlowly } from '../support/recording-upstream.ts';
import { waitFor } from '../support/wait-for.ts';

const {
  upstream,
  server,
  reportUsage,
  chat,
  chatWell,
  ledger,
  account,
  patch,
  addCredit,
  daysAgo,
  createExhausted,
} = await openCreditGateway();

const DAY_S = DAY_MS / 1_000;

const percentOf = ({ headers }: Answer) => headers.get('x-svc-monthly-used-percent');

test('a request has one ledger entry with its tokens, cost and key [ADM-33] [CRD-01] [CRD-02] [CRD-06]', async () => {
  const key = await server.createKey('pro');
  reportUsage(1_000, 50, { cached: 400, reasoning: 20 });
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

test('cached input costs the full rate only if the model has no cached rate [CRD-04] [CRD-05]', async () => {
  const key = await server.createKey('max');
  reportUsage(100, 0, { cached: 100 });
  for (const model of [SMALL, 'test-max']) await chatWell(key, { model });
  expect((await ledger(key)).map(({ microcredits }) => microcredits)).toEqual([100 * 500, 100 * 50]);
});

test('charges nothing for token counts, model lists and failed requests [CNT-05] [MOD-32] [CRD-07]', async () => {
  const key = await server.createKey('pro');
  const headers = { 'x-api-key': key.key };
  const body = chatBody(SMALL);
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
  const body = { model: 'test-vectors', input: 'hello' };
  expect((await server.call('/v1/embeddings', { headers: bearer(key.key), body })).status).toBe(200);
  expect(await ledger(key)).toMatchObject([{ input_tokens: 40, output_tokens: 0, microcredits: 40 * 500 }]);
});

describe('monthly credits', () => {
  test('are refused with the reset time when used up [CRD-08] [CRD-13] [CRD-14]', async () => {
    const key = await createExhausted('starter', 2_500);
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
    const other = await server.call('/v1/messages', {
      headers,
      body: messagesBody(SMALL, { max_tokens: 5 }),
    });
    expect({ status: other.status, error: other.body.error }).toEqual({
      status: 402,
      error: expect.objectContaining(fields),
    });
  });

  test('are granted once on Free, which has an error for their end [CRD-15] [VER-07] [PLN-02]', async () => {
    const key = await createExhausted('free', 200);
    expectRefusal(await chat(key), 402, 'credit_used_up');
    await patch(key, { cycle_started_at: daysAgo(70) });
    expectRefusal(await chat(key), 402, 'credit_used_up');
    expect((await account(key)).credits).toEqual({ limit: 200, used: 200, remaining: 0 });
  });

  test('are granted again by a ledger entry of the next cycle [CRD-09] [PLN-11]', async () => {
    const key = await createExhausted('starter', 2_500);
    expectExhausted(await chat(key));
    await patch(key, { cycle_started_at: daysAgo(40) });
    expect((await account(key)).credits).toEqual({ limit: 2_500, used: 0, remaining: 2_500 });
    await chatWell(key);
    expect((await ledger(key)).map(({ kind }) => kind)).toEqual(['usage', 'renewal', 'usage']);
  });

  test('grow at once with an upgrade that keeps the dates and the usage [CRD-10] [PLN-34] [PLN-13]', async () => {
    const key = await createExhausted('starter', 2_500);
    const before = await account(key);
    await patch(key, { plan: 'pro' });
    await chatWell(key, { max_tokens: 1 });
    const { credits, cycle_started_at, cycle_ends_at } = await account(key);
    expect(credits).toMatchObject({ limit: 10_000, used: 5_000 });
    expect({ cycle_started_at, cycle_ends_at }).toEqual({
      cycle_started_at: before.cycle_started_at,
      cycle_ends_at: before.cycle_ends_at,
    });
  });

  test('grow with a grant [ADM-29]', async () => {
    const key = await createExhausted('starter', 2_500);
    expectExhausted(await chat(key));
    expect((await addCredit(key, 'grants', { credits: 100, reason: 'sorry' })).body.credits.limit).toBe(
      2_600,
    );
    reportUsage(7, 3);
    await chatWell(key);
    const [, grant] = await ledger(key);
    expect(grant).toMatchObject({
      kind: 'grant',
      microcredits: 100_000_000,
      balance: 'monthly',
      reason: 'sorry',
    });
  });

  test('can be exceeded by requests under way [CRD-12]', async () => {
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
    const used = 2_600 + (7 * 500 + 3 * 2_000) / 1e6;
    expect((await account(key)).credits).toEqual({ limit: 2_500, used, remaining: 0 });
  });

  test('have their used share on every answer [CRD-33]', async () => {
    const key = await server.createKey('starter');
    reportUsage(312 * 2_000, 0);
    const { headers } = await chatWell(key);
    expect(headers.get('x-svc-monthly-used-percent')).toBe('12.5');
    expect(percentOf(await server.call('/v1/models', { headers: bearer(key.key) }))).toBe('12.5');
    expect(percentOf(await chat(key, { model: 'nobody' }))).toBe('12.5');
    reportUsage(2_300 * 2_000, 0);
    await chatWell(key);
    const refused = await chat(key);
    expect(percentOf(refused)).toBe('104.5');
    expect(refused.body.error.used_percent).toBe(104.5);
    await server.purchase(key.account, 2);
    expect(percentOf(await chatWell(key, { mode: 'payg', max_tokens: 5 }))).toBeNull();
  });
});

describe("Free's tokens of a day", () => {
  /** Moves the clock of the server to the start of a day, on which the test then ends. Returns its end. */
  async function startDay(): Promise<number> {
    const advance = async (advance_s: number) =>
      Date.parse((await server.admin('POST', '/test/clock', { advance_s })).body.now);
    const now = await advance(1);
    return Math.ceil((await advance(DAY_S - ((now / 1_000) % DAY_S) + 1)) / DAY_MS) * DAY_MS;
  }

  test('are 500,000 until the next day or an upgrade [CRD-16] [CRD-17]', async () => {
    const midnight = await startDay();
    const key = await server.createKey('free');
    reportUsage(499_999, 0, { cached: 499_999 }); // 25 of its 200 credits
    await chatWell(key);
    reportUsage(1, 0);
    await chatWell(key);
    const { message } = expectRefusal(await chat(key), 402, 'token_allowance_exhausted');
    expect(message).toContain('500,000 tokens');
    expect(message).toContain(new Date(midnight).toISOString());
    const other = await server.createKey('free', { account: key.account });
    expectRefusal(await chat(other), 402, 'token_allowance_exhausted');
    await server.purchase(key.account, 2);
    reportUsage(10_000, 0);
    await chatWell(key, { mode: 'payg', max_tokens: 5 });
    await patch(key, { plan: 'starter' });
    await chatWell(key);
  });
});
