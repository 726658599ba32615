import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/base/lib/units.ts';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { type Answer, bearer, chatBody, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { ledgerEntries } from '../support/ledger-entries.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { wideCatalog } from '../support/wide-catalog.ts';

const upstream = startRecordingUpstream();
const server = await startServer({
  config: sampleConfig(upstream.url, wideCatalog),
  environment: { TOLLGATE_TEST_CLOCK: '1' },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

/** The server's clock, which tests move ahead. */
let now = Date.now();
const advanceTo = async (time: number): Promise<void> => {
  const advance_s = Math.ceil((time - now) / 1_000);
  expect((await server.admin('POST', '/test/clock', { advance_s })).status).toBe(200);
  now += advance_s * 1_000;
};
const uses = (input: number) => {
  for (const model of ['small', 'plain', 'max'])
    upstream.answer(`hidden-test-${model}`, answerWithUsage(input, 0));
};
beforeEach(() => {
  upstream.forget();
  uses(7);
});

const account = ({ account }: CreatedKey): Promise<Json> => server.readAccount(account);
const patch = async (key: CreatedKey, change: Json): Promise<Json> => {
  const { status, body } = await server.admin('PATCH', `/accounts/${key.account}`, change);
  expect(status).toBe(200);
  return body;
};
const chat = ({ key }: CreatedKey, model = 'test-small', fields: Json = {}): Promise<Answer> =>
  server.chat(key, model, fields);
const statusOf = async (key: CreatedKey, model: string): Promise<number> => (await chat(key, model)).status;
const ledger = ({ account }: CreatedKey): Promise<Json[]> => ledgerEntries(server, account);
const renewalOf = async (key: CreatedKey): Promise<number> => Date.parse((await account(key)).cycle_ends_at);

/** The endpoints of one model, each with a body for it. */
const turns = [{ role: 'user', content: 'hello' }];
const asks: Record<string, (model: string) => Json> = {
  '/v1/chat/completions': (model) => chatBody(model),
  '/v1/messages': (model) => ({ model, max_tokens: 5, messages: turns }),
  '/v1/responses': (model) => ({ model, input: 'hello' }),
  '/v1/completions': (model) => ({ model, prompt: 'hello' }),
};

describe('models', () => {
  for (const [path, body] of Object.entries(asks)) {
    const ask = ({ key }: CreatedKey, model: string) =>
      server.call(path, { headers: bearer(key), body: body(model) });

    test(`outside the plan are refused on ${path}, with the cheapest plan on sale and on Free with usable models [PLN-26] [PLN-27] [PLN-28]`, async () => {
      for (const [plan, model, cheapest] of [
        ['free', 'test-plain', 'Starter'],
        ['free', 'test-vision', 'Pro'],
        ['free', 'test-max', 'Max'],
        ['launch', 'test-plain', 'Starter'],
        ['starter', 'test-vision', 'Pro'],
        ['pro', 'test-max', 'Max'],
      ] as const) {
        const key = await server.createKey(plan);
        const answer = await ask(key, model);
        const { code, message } = answer.body.error;
        expect({ status: answer.status, code }).toEqual({ status: 400, code: 'plan_upgrade_required' });
        expect(message).toContain(`${cheapest} is the cheapest that includes it`);
        const usable = /Models that you can use: (.*)\.$/.exec(message)?.[1]?.split(', ');
        expect({ plan, isListed: usable !== undefined }).toEqual({ plan, isListed: plan === 'free' });
        expect(usable?.includes('@svc/test-small')).toBe(plan === 'free' ? true : undefined);
      }
      expect(upstream.requests).toEqual([]);
    });

    test(`of pay-as-you-go mode are refused in other modes on ${path}, on every plan [PLN-29] [PLN-30]`, async () => {
      for (const plan of ['free', 'launch', 'starter', 'pro', 'max', 'scale', 'enterprise']) {
        const answer = await ask(await server.createKey(plan), 'test-payg');
        expect({ plan, status: answer.status, code: answer.body.error.code }).toEqual({
          plan,
          status: 400,
          code: 'payg_required',
        });
      }
      expect(upstream.requests).toEqual([]);
    });
  }

  test('that a Free refusal suggests are usable [PLN-28]', async () => {
    const { message } = (await chat(await server.createKey('free'), 'test-plain')).body.error;
    for (const model of /Models that you can use: (.*)\.$/.exec(message)![1]!.split(', ')) {
      const { status, body } = await chat(await server.createKey('free'), model);
      // The sample's upstream speaks one wire. The test only needs a model that is not refused.
      expect({ model, outcome: status === 200 ? 'answered' : body.error.code }).toEqual({
        model,
        outcome: expect.stringMatching(/^answered$|^upstream_/),
      });
    }
  });

  test('for embeddings belong to plans too [PLN-26]', async () => {
    const key = await server.createKey('launch');
    const body = { model: 'test-vectors', input: 'hello' };
    const answer = await server.call('/v1/embeddings', { headers: bearer(key.key), body });
    expectRefusal(answer, 400, 'plan_upgrade_required');
  });
});

describe('an upgrade', () => {
  test('takes effect at once but keeps the dates and the usage [PLN-13] [PLN-34]', async () => {
    const key = await server.createKey('starter');
    uses(1_000_000);
    await patch(key, { plan_overrides: { tokens_per_min: 10_000_000 } });
    expect(await statusOf(key, 'test-small')).toBe(200);
    expect(await statusOf(key, 'test-max')).toBe(400);
    const before = await account(key);
    const after = await patch(key, { plan: 'max' });
    expect(after).toMatchObject({
      plan: 'max',
      pending_plan: null,
      price_usd_per_month: 49,
      cycle_started_at: before.cycle_started_at,
      cycle_ends_at: before.cycle_ends_at,
      credits: { limit: 25_000, used: 500 },
    });
    uses(7);
    const { status, headers } = await chat(key, 'test-max');
    expect({ status, requestLimit: headers.get('x-ratelimit-limit-requests') }).toEqual({
      status: 200,
      requestLimit: '3000',
    });
  });

  test('from Free or pay as you go begins a cycle', async () => {
    for (const plan of ['free', 'payg']) {
      const key = await server.createKey(plan);
      expect((await account(key)).cycle_ends_at).toBeNull();
      const { cycle_started_at, cycle_ends_at, credits } = await patch(key, { plan: 'starter' });
      expect(Math.abs(Date.parse(cycle_started_at) - now)).toBeLessThan(60_000);
      expect(Date.parse(cycle_ends_at) - now).toBeGreaterThan(27 * DAY_MS);
      expect(credits).toEqual({ limit: 2_500, used: 0, remaining: 2_500 });
    }
  });
});

describe('prices and figures', () => {
  test('of Enterprise are set for each account [PLN-10]', async () => {
    const key = await server.createKey('enterprise');
    const plan_overrides = { credits: 5, requests_per_min: 7, concurrent: 3, tokens_per_min: 900_000 };
    const set = await patch(key, { price_usd_per_month: 4_321, plan_overrides });
    expect(set).toMatchObject({ price_usd_per_month: 4_321, plan_overrides, credits: { limit: 5 } });
    uses(10_000);
    const first = await chat(key, 'test-max');
    expect({
      status: first.status,
      requestLimit: first.headers.get('x-ratelimit-limit-requests'),
    }).toEqual({ status: 200, requestLimit: '7' });
    expect(first.headers.get('x-svc-monthly-used-percent')).toBe('100.0');
    const second = await chat(key, 'test-max');
    expect({ status: second.status, error: second.body.error }).toEqual({
      status: 402,
      error: expect.objectContaining({ code: 'allowance_exhausted', limit: 5, used_percent: 100 }),
    });
  });

  test('of Launch are assigned by operators only [PLN-15]', async () => {
    const { plans } = (await server.call('/dashboard/v1/welcome')).body;
    expect(plans.map(({ id }: Json) => id)).toEqual(['free', 'starter', 'pro', 'max', 'scale', 'payg']);
    const key = await server.createKey('free');
    expect(await patch(key, { plan: 'launch' })).toMatchObject({
      plan: 'launch',
      price_usd_per_month: 2,
      credits: { limit: 1_000, used: 0 },
    });
    expect(await statusOf(key, 'test-small')).toBe(200);
  });
});

describe('at the end of a cycle', () => {
  test('a pending downgrade takes effect [PLN-14]', async () => {
    const key = await server.createKey('max');
    expect(await patch(key, { plan: 'starter' })).toMatchObject({ plan: 'max', pending_plan: 'starter' });
    expect(await statusOf(key, 'test-max')).toBe(200);
    await advanceTo((await renewalOf(key)) + 1_000);
    expect(await account(key)).toMatchObject({
      plan: 'starter',
      pending_plan: null,
      price_usd_per_month: 5,
      credits: { limit: 2_500, used: 0 },
    });
    expect(expectRefusal(await chat(key, 'test-max'), 400, 'plan_upgrade_required').message).toContain('Max');
    expect(await statusOf(key, 'test-small')).toBe(200);
  });

  test('credits are granted again by a ledger entry, not earlier [PLN-11] [CRD-09]', async () => {
    const key = await server.createKey('starter', {});
    await patch(key, { plan_overrides: { credits: 10, tokens_per_min: 10_000_000 } });
    uses(20_000);
    expect(await statusOf(key, 'test-small')).toBe(200);
    const { resets_at } = (await chat(key)).body.error;
    expect(Date.parse(resets_at)).toBe(await renewalOf(key));
    await advanceTo(Date.parse(resets_at) - 60_000);
    expect((await chat(key)).body.error.code).toBe('allowance_exhausted');
    await advanceTo(Date.parse(resets_at) + 1_000);
    expect(await statusOf(key, 'test-small')).toBe(200);
    expect((await ledger(key)).map(({ kind, at }) => [kind, kind === 'renewal' ? at : ''])).toEqual([
      ['usage', ''],
      ['renewal', resets_at],
      ['usage', ''],
    ]);
  });

  test('Launch and an old price of Scale continue while the account is active [PLN-16] [PLN-17]', async () => {
    const launch = await server.createKey('launch');
    const scale = await server.createKey('scale');
    await patch(scale, { price_usd_per_month: 79 });
    for (let month = 0; month < 3; month++) {
      await advanceTo(Math.max(await renewalOf(launch), await renewalOf(scale)) + 1_000);
      expect(await account(launch)).toMatchObject({ plan: 'launch', price_usd_per_month: 2 });
      expect(await account(scale)).toMatchObject({ plan: 'scale', price_usd_per_month: 79 });
    }
    expect(await statusOf(launch, 'test-small')).toBe(200);
    await patch(scale, { plan: 'pro' });
    await advanceTo((await renewalOf(scale)) + 1_000);
    expect(await patch(scale, { plan: 'scale' })).toMatchObject({ plan: 'scale', price_usd_per_month: 99 });
  });

  test("the next cycle begins on the plan's day, or on the last day of a shorter month [PLN-12]", async () => {
    const key = await server.createKey('pro');
    const year = new Date(now).getUTCFullYear();
    await patch(key, { cycle_started_at: `${year - 1}-01-31T10:20:30Z` });
    for (let month = 0; month < 13; month++) {
      const { cycle_started_at, cycle_ends_at } = await account(key);
      const start = new Date(cycle_started_at);
      const end = new Date(cycle_ends_at);
      const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
      expect({ month: end.getUTCMonth(), day: end.getUTCDate() }).toEqual({
        month: (start.getUTCMonth() + 1) % 12,
        day: Math.min(31, lastDay),
      });
      expect(cycle_ends_at).toContain('T10:20:30');
      await advanceTo(end.getTime() + 1_000);
    }
  });

  test('Free gets only its daily tokens again [PLN-02] [CRD-16]', async () => {
    const key = await server.createKey('free');
    await server.admin('POST', `/accounts/${key.account}/grants`, { credits: 1_000, reason: 'a test' });
    uses(500_000);
    expect(await statusOf(key, 'test-small')).toBe(200);
    await advanceTo(now + 61_000);
    expectRefusal(await chat(key), 402, 'token_allowance_exhausted');
    await advanceTo(Math.ceil(now / DAY_MS) * DAY_MS + 1_000);
    expect(await statusOf(key, 'test-small')).toBe(200);
    await advanceTo(now + 40 * DAY_MS);
    expect((await account(key)).credits).toEqual({ limit: 1_200, used: 500, remaining: 700 });
  });

  test('purchased credit and earlier entries stay unchanged [CRD-26]', async () => {
    const key = await server.createKey('starter');
    await server.purchase(key.account, 5);
    expect(await statusOf(key, 'test-small')).toBe(200);
    expect((await account(key)).credits.used).toBeGreaterThan(0);
    const before = await ledger(key);
    expect(before.map(({ kind }) => kind)).toEqual(['usage', 'purchase']);
    await advanceTo((await renewalOf(key)) + 400 * DAY_MS);
    expect(await account(key)).toMatchObject({ purchased_credits: 2_500, credits: { used: 0 } });
    const [renewal, ...earlier] = await ledger(key);
    expect({ kind: renewal?.kind, earlier }).toEqual({ kind: 'renewal', earlier: before });
    const verified = (await server.admin('GET', '/ledger/verify')).body;
    expect(verified.faults).toEqual([]);
  });
});
