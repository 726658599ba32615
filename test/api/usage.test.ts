import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { type Answer, bearer, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { wideCatalog } from '../support/wide-catalog.ts';
import { wideLimits } from '../support/wide-limits.ts';

const upstream = startRecordingUpstream();
const server = await startServer({
  config: { ...sampleConfig(upstream.url, wideCatalog), plans: wideLimits },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
afterEach(() => upstream.answer('hidden-test-small', answerWell));

const SMALL = '@svc/test-small';
const setUsage = (...usage: Parameters<typeof answerWithUsage>) =>
  upstream.answer('hidden-test-small', answerWithUsage(...usage));
const chatWell = async ({ key }: CreatedKey, model = SMALL, fields: Json = {}): Promise<Answer> => {
  const answer = await server.chat(key, model, fields);
  expect(answer.status).toBe(200);
  expect(answer.status === 200 ? '' : answer.text).toBe('');
  return answer;
};
const usage = ({ key }: CreatedKey, query = ''): Promise<Answer> =>
  server.call(`/v1/usage${query}`, { headers: bearer(key) });
const readUsage = async (key: CreatedKey, query?: string): Promise<Json> => {
  const { status, body } = await usage(key, query);
  expect(status).toBe(200);
  return body;
};
const account = async ({ account }: CreatedKey): Promise<Json> =>
  (await server.admin('GET', `/accounts/${account}`)).body;
const dayOfCharge = async ({ account }: CreatedKey): Promise<string> =>
  (await server.admin('GET', `/accounts/${account}/ledger`)).body.data[0].at.slice(0, 10);

describe('the usage of an account', () => {
  test("equals the admin API's figures, and is visible only to its own keys", async () => {
    const key = await server.createKey('starter', { monthly_cap_usd: 3 });
    const other = await server.createKey('starter', { account: key.account });
    await server.purchase(key.account, 5);
    setUsage(1_000, 50, { cached: 400 });
    await chatWell(key, SMALL, { max_tokens: 100 });
    await chatWell(other);
    const { credits, purchased_credits, debt_credits, cycle_started_at, cycle_ends_at, stored } =
      await account(key);
    const { from, to, ...figures } = await readUsage(key);
    const row = { input_tokens: 2_000, cached_input_tokens: 800, output_tokens: 100, requests: 2 };
    expect(figures).toEqual({
      object: 'usage',
      account_id: key.account,
      plan: 'starter',
      pending_plan: null,
      price_usd_per_month: 5,
      cycle_started_at,
      cycle_ends_at,
      purchased_credits,
      debt_credits,
      stored,
      credits: { ...credits, used_percent: 0 },
      tokens_today: null,
      key: { id: key.id, month_spent_usd: 0.42 * 0.002, monthly_cap_usd: 3 },
      by: 'day',
      data: [{ day: await dayOfCharge(key), ...row, microcredits: 840_000 }],
    });
    expect(Date.parse(to) - Date.parse(from)).toBeWithin(30 * 86_400_000, 31 * 86_400_000);
    const byKey = await readUsage(other, '?by=key');
    expect(byKey.data.map((one: Json) => [one.key_id, one.microcredits]).sort()).toEqual(
      [key.id, other.id].sort().map((id) => [id, 420_000]),
    );
    expect((await readUsage(other, '?by=model')).data).toEqual([
      { model: SMALL, ...row, microcredits: 840_000 },
    ]);
    const stranger = await server.createKey('starter');
    expect((await readUsage(stranger)).data).toEqual([]);
  });

  test('is readable without credits', async () => {
    const key = await server.createKey('starter');
    setUsage(2_600 * 2_000, 0);
    await chatWell(key);
    const refused = await server.chat(key.key, SMALL);
    expect(refused).toMatchObject({ status: 402, body: { error: { code: 'allowance_exhausted' } } });
    for (let time = 0; time < 2; time++) {
      const { credits, data } = await readUsage(key);
      expect(credits).toEqual({ limit: 2_500, used: 2_600, remaining: 0, used_percent: 104 });
      expect(data[0].requests).toBe(1);
    }
  });

  test('has daily tokens for Free but no cycle for a pay-as-you-go account', async () => {
    const free = await server.createKey('free');
    setUsage(1_000, 500);
    await chatWell(free);
    const { tokens_today, cycle_ends_at } = await readUsage(free);
    const midnight = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000).toISOString();
    expect(tokens_today).toEqual({ limit: 500_000, used: 1_500, remaining: 498_500, resets_at: midnight });
    const payg = await readUsage(await server.createKey('payg'));
    expect(cycle_ends_at).toBeNull();
    expect(payg.cycle_ends_at).toBeNull();
    expect(payg.tokens_today).toBeNull();
    expect(payg.credits.limit).toBe(0);
  });

  test('requires a key, whole hours and a known grouping', async () => {
    const key = await server.createKey('pro');
    setUsage(10, 10);
    await chatWell(key);
    const now = Date.now();
    const hour = (offset: number) => new Date(Math.floor(now / 3_600_000 + offset) * 3_600_000).toISOString();
    expect((await readUsage(key, `?from=${hour(-1)}&to=${hour(1)}`)).data).toHaveLength(1);
    expect((await readUsage(key, `?from=${hour(-900)}&to=${hour(-1)}`)).data).toEqual([]);
    for (const query of ['by=hour', 'from=yesterday', 'to=2026-13-01'])
      expectRefusal(await usage(key, `?${query}`), 400, 'invalid_request', query.split('=')[0]!);
    expectRefusal(await server.call('/v1/usage'), 401, 'missing_api_key');
    const direct = await server.call('/v1/usage', { headers: { 'x-api-key': key.key } });
    expect({ status: direct.status, cacheControl: direct.headers.get('cache-control') }).toEqual({
      status: 200,
      cacheControl: 'private, no-store',
    });
  });
});
