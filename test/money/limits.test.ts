import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { type Answer, bearer, call, chatBody, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { fullTest } from '../support/full-test.ts';
import { isLong } from '../support/is-long.ts';
import { left, MODEL, ONE_AT_A_TIME, openLimitedGateway } from '../support/limited-gateway.ts';
import { answerWell, type UpstreamAnswer } from '../support/recording-upstream.ts';
import { sampleConfig, sampleModel } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const { upstream, server, advance, chat, keyOn } = await openLimitedGateway();
const repeat = (count: number, ask: () => Promise<Answer>) => Promise.all(Array.from({ length: count }, ask));
const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))];

/** In the ordinary run, requests for 16 answers fill the large windows, each counting as 16 requests. */
const ANSWERS = 16;
const SINGLE = isLong ? Number.POSITIVE_INFINITY : 300;

/** The limits of each plan in the contract: requests per minute, concurrent requests, tokens per minute. */
const plans = [
  ['free', 15, 2, 40_000],
  ['launch', 20, 5, 100_000],
  ['starter', 300, 10, 500_000],
  ['pro', 1_000, 40, 2_000_000],
  ['max', 3_000, 100, 5_000_000],
  ['scale', 6_000, 200, 10_000_000],
  ['payg', 600, 20, 1_000_000],
  ['enterprise', 10_000, 250, 20_000_000],
] as const;

describe('requests', () => {
  for (const [plan, limit, , tokens] of plans) {
    test(`reports the ${plan} limits of ${limit} requests and ${tokens} tokens per minute in every response [LIM-09] [LIM-21] [LIM-30] [LIM-31]`, async () => {
      const { status, headers } = await server.call('/v1/models', { headers: bearer(await keyOn(plan)) });
      expect(status).toBe(200);
      expect(headers.get('x-ratelimit-limit-requests')).toBe(String(limit));
      expect(headers.get('x-ratelimit-remaining-requests')).toBe(String(limit));
      expect(headers.get('x-ratelimit-limit-tokens')).toBe(String(tokens));
      expect(headers.get('x-ratelimit-remaining-tokens')).toBe(String(tokens));
    });
  }

  for (const [plan, limit, concurrent] of plans.filter(([plan]) => plan !== 'enterprise')) {
    const clauses = '[LIM-01] [LIM-02] [LIM-04] [LIM-05] [LIM-06] [LIM-07] [LIM-08] [LIM-18]';
    (limit > 1_000 ? fullTest : test)(
      `refuses one request more than ${limit} in a minute on the ${plan} plan ${clauses}`,
      async () => {
        const key = await keyOn(plan);
        let sent = 0;
        for (; limit - sent > SINGLE; sent += 5 * ANSWERS)
          expect(statuses(await repeat(5, () => chat(key, { n: ANSWERS })))).toEqual([200]);
        while (sent < limit) {
          const batch = Math.min(concurrent, limit - sent);
          expect(statuses(await repeat(batch, () => chat(key)))).toEqual([200]);
          sent += batch;
        }
        const refused = await chat(key);
        expectRefusal(refused, 429, 'rate_limit_exceeded');
        expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 62);
        expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0');
        expect(refused.headers.get('x-ratelimit-reset-requests')).toMatch(/^\d+(\.\d)?s$/); // [LIM-32]
      },
    );
  }

  test('admits a request exactly after the time in Retry-After [LIM-27] [LIM-28] [LIM-29] [LIM-32]', async () => {
    const key = await keyOn('free');
    for (let sent = 0; sent < 15; sent++) expect((await chat(key)).status).toBe(200);
    const waitS = Number((await chat(key)).headers.get('retry-after'));
    for (let sent = 0; sent < 20; sent++) expect((await chat(key)).status).toBe(429);
    await advance(waitS - 2);
    expect((await chat(key)).status).toBe(429);
    await advance(2);
    expect((await chat(key)).status).toBe(200);
  });

  test('limits Launch to 100 requests in five minutes [LIM-03]', async () => {
    const { account, key } = await server.createKey('launch');
    await server.admin('PATCH', `/accounts/${account}`, { plan_overrides: { requests_per_min: 50 } });
    for (let minute = 0; minute < 2; minute++) {
      for (let sent = 0; sent < 50; sent++) expect((await chat(key)).status).toBe(200);
      await advance(62);
    }
    const refused = await chat(key);
    expectRefusal(refused, 429, 'rate_limit_exceeded');
    expect(refused.body.error.message).toContain('five minutes');
    await advance(Number(refused.headers.get('retry-after')));
    expect((await chat(key)).status).toBe(200);
  });

  test('shares one window of requests and token counts between the keys of an account [LIM-38] [LIM-39]', async () => {
    const { account, key } = await server.createKey('starter');
    const { key: other } = await server.createKey('starter', { account });
    expect(left(await chat(key))).toBe(299);
    expect(left(await chat(other))).toBe(298);
    for (const path of ['/v1/models', `/v1/models/${encodeURIComponent(MODEL)}`, '/v1/responses/resp_none'])
      expect(left(await server.call(path, { headers: bearer(key) }))).toBe(298);
    const counted = await server.call('/v1/messages/count_tokens', {
      headers: bearer(key),
      body: chatBody(MODEL),
    });
    expect({ status: counted.status, left: left(await chat(key)) }).toEqual({ status: 200, left: 297 });
  });

  test('counts each answer and each prompt of a request as one request [LIM-43]', async () => {
    const key = await keyOn('starter');
    expect(left(await chat(key, { n: 5 }))).toBe(295);
    const complete = (fields: Json) =>
      server.call('/v1/completions', { headers: bearer(key), body: { model: MODEL, ...fields } });
    expect(left(await complete({ prompt: ['one', 'two', 'three'] }))).toBe(292);
    expect(left(await complete({ prompt: ['one', 'two'], n: 2 }))).toBe(288);
    expect(left(await complete({ prompt: 'one' }))).toBe(287);
  });

  test('admits a request for more answers than the limit if the window is empty [LIM-43]', async () => {
    const key = await keyOn('free');
    const quote = async () => {
      const body = chatBody(MODEL, { n: 16 });
      return (await server.call('/v1/quote', { headers: bearer(key), body })).body.checks.limits.admitted;
    };
    const whole = await chat(key, { n: 16 });
    expect({ status: whole.status, left: left(whole) }).toEqual({ status: 200, left: 0 });
    expectRefusal(await chat(key), 429, 'rate_limit_exceeded');
    await advance(62);
    expect((await chat(key)).status).toBe(200);
    const refused = await chat(key, { n: 16 });
    expectRefusal(refused, 429, 'rate_limit_exceeded');
    expect(await quote()).toBe(false);
    await advance(Number(refused.headers.get('retry-after')));
    expect(await quote()).toBe(true);
    expect((await chat(key, { n: 16 })).status).toBe(200);
  });

  test('does not count an invalid request [LIM-29]', async () => {
    const key = await keyOn('starter');
    const wrong = await chat(key, { messages: [] });
    expect({ status: wrong.status, left: left(wrong) }).toEqual({ status: 400, left: 300 });
    expect(left(await server.chat(key, 'no-such-model'))).toBe(300);
  });

  test('applies the higher limit of both plans to a pay-as-you-go request of a subscriber [PLN-35]', async () => {
    const ask = async (plan: string, mode: string) => {
      const { account, key } = await server.createKey(plan);
      await server.admin('POST', `/accounts/${account}/purchases`, { usd: 5 });
      const headers = { ...bearer(key), 'x-svc-payment-mode': mode };
      const answer = await server.call('/v1/models', { headers });
      return Number(answer.headers.get('x-ratelimit-limit-requests'));
    };
    expect(await ask('starter', 'payg')).toBe(600);
    expect(await ask('starter', 'subscription')).toBe(300);
    expect(await ask('pro', 'payg')).toBe(1_000);
  });
});

const waiting = async () => (await server.admin('GET', '/providers/narrow')).body.queue_length;

describe('reads', () => {
  const ask = (path: string, key: string, options: Json = {}) =>
    server.call(path, { headers: { ...bearer(key), ...options.headers }, ...options });
  /** Every kind of request that calls no model. */
  const reads: [path: string, options?: Json][] = [
    ['/v1/models'],
    [`/v1/models/${encodeURIComponent(MODEL)}`],
    ['/v1/usage'],
    ['/v1/usage/req_none'],
    ['/v1/quote', { body: chatBody(MODEL) }],
    ['/v1/responses/resp_none'],
    ['/v1/responses/resp_none', { method: 'DELETE' }],
    ['/v1/responses/resp_none/input_items'],
    ['/v1/batches'],
    ['/v1/batches/batch_none'],
    ['/v1/batches/batch_none/cancel', { method: 'POST' }],
    ['/v1/batches/batch_none/results'],
  ];

  test('allows exactly twenty reads per minute for each request of the plan [LIM-44] [LIM-39]', async () => {
    const key = await keyOn('free');
    for (let sent = 0; sent < 300; sent += reads.length)
      for (const { status } of await Promise.all(reads.map(([path, options]) => ask(path, key, options))))
        expect(status).not.toBe(429);
    for (const [path, options] of reads) {
      const refused = await ask(path, key, options);
      expectRefusal(refused, 429, 'rate_limit_exceeded');
      expect(refused.body.error.message).toContain('300 reads in a minute');
      expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 62);
      expect(left(refused)).toBe(15);
    }
    expect((await chat(key)).status).toBe(200);
    expect((await ask('/v1/models', await keyOn('free'))).status).toBe(200);
    expect((await server.call('/v1/models')).status).toBe(200);
  });

  test('admits a read exactly after the time in Retry-After [LIM-44] [LIM-28]', async () => {
    const { account, key } = await server.createKey('free');
    await server.admin('PATCH', `/accounts/${account}`, { plan_overrides: { requests_per_min: 1 } });
    for (let sent = 0; sent < 20; sent++) expect((await ask('/v1/usage', key)).status).toBe(200);
    const waitS = Number((await ask('/v1/usage', key)).headers.get('retry-after'));
    await advance(waitS - 2);
    expect((await ask('/v1/usage', key)).status).toBe(429);
    await advance(2);
    expect((await ask('/v1/usage', key)).status).toBe(200);
  });

  test('refuses a suspended account first, then a quote past the limit, before it reads the body [LIM-44]', async () => {
    const { account, key } = await server.createKey('free');
    await server.admin('PATCH', `/accounts/${account}`, { plan_overrides: { requests_per_min: 1 } });
    const broken = { headers: { ...bearer(key), 'content-encoding': 'unknown' }, body: chatBody(MODEL) };
    for (let sent = 0; sent < 20; sent++)
      expectRefusal(await ask('/v1/quote', key, broken), 400, 'invalid_request');
    expectRefusal(await ask('/v1/quote', key, broken), 429, 'rate_limit_exceeded');
    await server.admin('PATCH', `/accounts/${account}`, { status: 'suspended' });
    expectRefusal(await ask('/v1/quote', key, broken), 403, 'account_suspended');
  });
});

describe('requests at a time', () => {
  const held: (() => void)[] = [];
  const hold: UpstreamAnswer = async (request) => {
    await new Promise<void>((resolve) => held.push(resolve));
    return answerWell(request);
  };
  beforeEach(() => {
    held.length = 0;
  });

  for (const [plan, , concurrent] of plans) {
    const clauses = '[LIM-10] [LIM-11] [LIM-12] [LIM-13] [LIM-14] [LIM-15] [LIM-16] [LIM-17] [LIM-19]';
    test(`allows ${concurrent} concurrent requests on the ${plan} plan, and admits another when one ends ${clauses}`, async () => {
      const key = await keyOn(plan);
      upstream.answer('hidden-counted', hold);
      const answers = Array.from({ length: concurrent }, () => chat(key));
      await waitFor(() => held.length === concurrent);
      const refused = await chat(key);
      expectRefusal(refused, 429, 'concurrency_limit_exceeded');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      held.shift()!();
      await Promise.race(answers);
      upstream.answer('hidden-counted', answerWell);
      expect((await chat(key)).status).toBe(200);
      for (const release of held) release();
      expect(statuses(await Promise.all(answers))).toEqual([200]);
    });
  }

  test('counts a queued request as concurrent [LIM-40]', async () => {
    const key = await keyOn('free');
    upstream.answer('hidden-narrow', hold);
    const answers = [server.chat(key, ONE_AT_A_TIME), server.chat(key, ONE_AT_A_TIME)];
    await waitFor(async () => held.length === 1 && (await waiting()) === 1);
    expectRefusal(await server.chat(key, ONE_AT_A_TIME), 429, 'concurrency_limit_exceeded');
    held.shift()!();
    await waitFor(() => held.length === 1);
    held.shift()!();
    await Promise.all(answers);
    upstream.answer('hidden-narrow', answerWell);
    expect((await server.chat(key, ONE_AT_A_TIME)).status).toBe(200);
  });

  test('stops counting a request as concurrent after a disconnect, a stream or a failure', async () => {
    const key = await keyOn('free');
    upstream.answer('hidden-counted', hold);
    for (let index = 0; index < 4; index++) {
      const leaving = new AbortController();
      const answer = call(`${server.url}/v1/chat/completions`, {
        headers: bearer(key),
        body: chatBody(MODEL, { stream: index % 2 === 0 }),
        signal: leaving.signal,
      }).catch(() => 'left');
      await waitFor(() => held.length === index + 1);
      leaving.abort();
      expect(await answer).toBe('left');
      await waitFor(() => upstream.requests.at(-1)!.aborted()); // by then the gateway has noticed too
    }
    upstream.answer('hidden-counted', answerWell);
    const free = async () => (await chat(key)).status === 200;
    await waitFor(free);
    for (let index = 0; index < 4; index++) expect((await chat(key, { stream: true })).status).toBe(200);
  });
});

describe('client networks', async () => {
  const paced = await startServer({
    config: {
      ...sampleConfig(upstream.url, { models: [sampleModel(MODEL)], handles: {}, previews: {} }),
      server: { trusted_proxies: ['127.0.0.1'] },
    },
  });
  const open = await startServer({
    config: sampleConfig(upstream.url, { models: [sampleModel(MODEL)], handles: {}, previews: {} }),
  });
  afterAll(() => Promise.all([paced.stop(), open.stop()]));

  const from = async (asked: typeof paced, address: string, count: number) => {
    const answers: Answer[] = [];
    for (let sent = 0; sent < count; sent++) {
      const { key } = await asked.createKey('free');
      const headers = { ...bearer(key), 'x-forwarded-for': address };
      answers.push(await asked.call('/v1/chat/completions', { headers, body: chatBody(MODEL) }));
    }
    return answers;
  };

  test('limits all Free accounts of one network to thirty requests per minute [LIM-22] [LIM-23] [LIM-24]', async () => {
    expect(statuses(await from(paced, '203.0.113.9', 30))).toEqual([200]);
    const [refused] = await from(paced, '203.0.113.9', 1);
    expectRefusal(refused!, 429, 'network_rate_limited');
    expect(Number(refused!.headers.get('retry-after'))).toBeWithin(1, 62);
    expect(statuses(await from(paced, '203.0.113.10', 1))).toEqual([200]);
    expect(statuses(await from(paced, '2001:db8::1', 30))).toEqual([200]);
    expect(statuses(await from(paced, '2001:db8::ffff', 1))).toEqual([429]);
    expect(statuses(await from(paced, '2001:db8:0:1::1', 1))).toEqual([200]);
  });

  test('ignores a forwarding header that no trusted proxy sent [LIM-24]', async () => {
    for (let sent = 0; sent < 30; sent++) await from(open, `203.0.113.${sent}`, 1);
    const [refused] = await from(open, '203.0.113.99', 1);
    expectRefusal(refused!, 429, 'network_rate_limited');
  });

  test('does not apply the network limit to paid accounts [LIM-22]', async () => {
    const { key } = await open.createKey('starter');
    expect(statuses(await repeat(5, () => open.chat(key, MODEL)))).toEqual([200]);
  });
});
