import { describe, expect, test } from 'bun:test';
import { bearer } from '../support/call.ts';
import { expectExhausted, openCreditGateway } from '../support/credit-gateway.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { answerSlowly } from '../support/recording-upstream.ts';
import { waitFor } from '../support/wait-for.ts';

const {
  upstream,
  config,
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

describe('purchased credit', () => {
  test('is sold in packs and in any amount between 2 and 1,000 USD, at 500 credits for a dollar [CRD-27] [CRD-28] [CRD-29] [ADM-30]', async () => {
    for (const usd of [2, 5, 19.99, 20, 50, 777, 1_000]) {
      const key = await server.createKey('starter');
      const { status, body } = await addCredit(key, 'purchases', { usd });
      expect({ status, purchased_credits: body.purchased_credits }).toEqual({
        status: 201,
        purchased_credits: usd * 500,
      });
      expect(await ledger(key)).toMatchObject([
        { kind: 'purchase', balance: 'purchased', microcredits: usd * 5e8 },
      ]);
    }
    const key = await server.createKey('starter');
    for (const usd of [1.99, 1_000.01, -5, '5']) {
      expectRefusal(await addCredit(key, 'purchases', { usd }), 400, 'invalid_request', 'usd');
    }
  });

  test('can have other bounds after a reload', async () => {
    server.configure({ ...config, purchases: { min_usd: 10.5, max_usd: 20 } });
    expect((await server.reload()).status).toBe(200);
    const key = await server.createKey('starter');
    for (const [usd, bound] of [
      [10, 'at least 10.5'],
      [20.01, 'at most 20'],
    ]) {
      const refused = await addCredit(key, 'purchases', { usd });
      expectRefusal(refused, 400, 'invalid_request', 'usd');
      expect(refused.body.error.message).toContain(bound);
    }
    for (const usd of [10.5, 20]) expect((await addCredit(key, 'purchases', { usd })).status).toBe(201);
    server.configure(config);
    expect((await server.reload()).status).toBe(200);
  });

  test('is added once by a repeated purchase but never to a closed account', async () => {
    const key = await server.createKey('starter');
    const once = (usd: number, name: string) =>
      server.call(`/admin/v1/accounts/${key.account}/purchases`, {
        headers: { ...bearer(server.adminToken), 'idempotency-key': name },
        body: { usd },
      });
    const answers = await Promise.all([once(5, 'a'), once(5, 'a'), once(5, 'a')]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const again = await once(5, 'a');
    expect({
      replayed: again.headers.get('idempotency-replayed'),
      purchased_credits: again.body.purchased_credits,
    }).toEqual({ replayed: 'true', purchased_credits: 2_500 });
    expectRefusal(await once(6, 'a'), 409, 'idempotency_conflict');
    expect((await once(6, 'b')).body.purchased_credits).toBe(5_500);
    expectRefusal(await once(6, 'x'.repeat(201)), 400, 'invalid_request', 'Idempotency-Key');
    await patch(key, { status: 'closed' });
    expectRefusal(await addCredit(key, 'purchases', { usd: 5 }), 403, 'account_closed');
    expect((await ledger(key)).map(({ kind }) => kind)).toEqual(['purchase', 'purchase']);
  });

  test('pays in pay-as-you-go mode only, in place of monthly credits [CRD-11] [CRD-23] [CRD-24] [CRD-25]', async () => {
    const key = await createExhausted('starter', 2_500);
    reportUsage(1_000, 0);
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

  test('has its own rates if the catalog has them and else the listed rates [CRD-30]', async () => {
    const key = await server.createKey('max');
    await server.purchase(key.account, 50);
    reportUsage(100, 10);
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

  test('must cover the request: none and too little are refused [CRD-18] [CRD-19] [CRD-20]', async () => {
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

  test('is held for requests under way, so it is never spent twice [CRD-20] [CRD-35]', async () => {
    const key = await server.createKey('payg');
    await addCredit(key, 'adjustments', { credits: 20, balance: 'purchased', reason: 'a test' });
    upstream.forget();
    const slow = answerSlowly();
    upstream.answer('hidden-test-small', slow.answer);
    const first = chat(key, { max_tokens: 8_000, stream: true }); // 16 credits and a little
    await waitFor(() => upstream.requests.some(({ body }) => body.stream));
    expectRefusal(await chat(key, { model: 'test-max', max_tokens: 8_000 }), 402, 'insufficient_paid_credit');
    slow.release();
    await first;
    reportUsage(1_000_000, 8_000); // far more input than anybody could estimate
    await chatWell(key, { max_tokens: 8_000 });
    expect((await account(key)).purchased_credits).toBe(0);
    expectRefusal(await chat(key), 402, 'paid_credit_required');
  });

  test('pays for an answer up to its balance if the request sets no ceiling [CRD-34] [CRD-20]', async () => {
    const key = await server.createKey('payg');
    await addCredit(key, 'adjustments', { credits: 4, balance: 'purchased', reason: 'a test' });
    upstream.forget();
    await chatWell(key);
    const { max_tokens } = upstream.requests[0]!.body;
    expect(max_tokens).toBeGreaterThan(1_900);
    expect(max_tokens).toBeLessThan(2_000);
    await addCredit(key, 'adjustments', { credits: -3.5, balance: 'purchased', reason: 'a test' });
    expectRefusal(await chat(key), 402, 'insufficient_paid_credit');
  });

  test('is the only credit of an account without a plan [CRD-21] [PLN-07]', async () => {
    const key = await server.createKey('payg');
    await server.purchase(key.account, 2);
    expectRefusal(await chat(key, { mode: 'subscription' }), 402, 'subscription_required');
    expectRefusal(await addCredit(key, 'grants', { credits: 5, reason: 'x' }), 409, 'conflict');
    expect(await account(key)).toMatchObject({ credits: { limit: 0, used: 0 }, purchased_credits: 1_000 });
  });

  test("a key's mode yields to the header [CRD-37] [CRD-22] [CRD-38]", async () => {
    const key = await server.createKey('pro', { payg: true });
    await server.purchase(key.account, 2);
    await chatWell(key, { max_tokens: 5 });
    await chatWell(key, { mode: 'subscription' });
    expect((await ledger(key)).slice(0, 2).map(({ balance }) => balance)).toEqual(['monthly', 'purchased']);
    expectRefusal(await chat(key, { mode: 'credit' }), 400, 'invalid_request', 'x-svc-payment-mode');
  });

  test('gives access to every model on every plan [PLN-25]', async () => {
    for (const plan of ['free', 'launch', 'starter', 'pro', 'max', 'scale', 'payg', 'enterprise']) {
      const key = await server.createKey(plan);
      await server.purchase(key.account, 50);
      for (const model of ['test-small', 'test-plain', 'test-vision', 'test-max', 'test-payg'])
        await chatWell(key, { model, mode: 'payg', max_tokens: 5 });
      expect((await ledger(key)).filter(({ balance }) => balance === 'monthly')).toEqual([]);
    }
  });
});
