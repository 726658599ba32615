import { describe, expect, test } from 'bun:test';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { bearer } from '../support/call.ts';
import { openCreditGateway } from '../support/credit-gateway.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { waitFor } from '../support/wait-for.ts';

const { upstream, server, reportUsage, chat, chatWell, ledger, account } = await openCreditGateway();

describe("a key's cap", () => {
  test('stops only its own key until the cap is raised [CRD-31] [CRD-32]', async () => {
    const key = await server.createKey('pro', { monthly_cap_usd: 0.02 }); // 10 credits
    const other = await server.createKey('pro', { account: key.account });
    reportUsage(8_000, 2_000);
    await chatWell(key, { max_tokens: 2_000 });
    expectRefusal(await chat(key, { max_tokens: 2_000 }), 402, 'key_budget_exhausted');
    await chatWell(other);
    await server.admin('PATCH', `/keys/${key.id}`, { monthly_cap_usd: 1 });
    await chatWell(key);
  });

  test('does not lower a charge on monthly credits: the subscriber pays each answer in full [CRD-41] [CRD-03]', async () => {
    const key = await server.createKey('pro', { monthly_cap_usd: 0.001 }); // half a credit
    const cost = 99_000 * 500 + 1_000 * 50 + 20 * 2_000;
    // None is answered before each of them has been admitted or refused.
    const sentCount = 20;
    const everybody = Promise.withResolvers<void>();
    const answer = answerWithUsage(100_000, 20, { cached: 1_000 });
    upstream.answer('hidden-test-small', (request) => everybody.promise.then(() => answer(request)));
    upstream.forget();
    let refused = 0;
    const asking = Array.from({ length: sentCount }, async (_, index) => {
      const reply = await chat(key, { max_tokens: 20, stream: index % 2 === 0 });
      if (reply.status !== 200) refused++;
      return reply;
    });
    await waitFor(() => upstream.requests.length + refused === sentCount);
    everybody.resolve();
    const answers = await Promise.all(asking);
    const served = answers.filter(({ status }) => status === 200).length;
    expect(served).toBeGreaterThan(1);
    expectRefusal(await chat(key, { max_tokens: 20 }), 402, 'key_budget_exhausted');
    const entries = await ledger(key);
    expect(entries.map(({ microcredits }) => microcredits)).toEqual(Array(served).fill(cost));
    expect(entries.every(({ shortfall_microcredits }) => shortfall_microcredits === 0)).toBe(true);
    expect((await account(key)).credits.used * 1e6).toBe(served * cost);
    const usage = async () => (await server.call('/v1/usage?by=key', { headers: bearer(key.key) })).body;
    const { key: month, data } = await usage();
    expect({ month_spent_usd: month.month_spent_usd, microcredits: data[0].microcredits }).toEqual({
      month_spent_usd: 0.001,
      microcredits: served * cost,
    });
    await server.admin('PATCH', `/keys/${key.id}`, { monthly_cap_usd: 0.002 });
    await chatWell(key, { max_tokens: 20 });
    expect((await usage()).key.month_spent_usd).toBe(0.002);
    expect(await server.ledgerFaults()).toEqual([]);
  });

  test('is never exceeded because output ceilings are lowered to it [CRD-36] [CRD-32]', async () => {
    const key = await server.createKey('pro', { monthly_cap_usd: 0.01 }); // 5 credits
    await server.purchase(key.account, 5);
    expectRefusal(await chat(key, { max_tokens: 8_000 }), 402, 'key_budget_exhausted');
    upstream.forget();
    reportUsage(1_000_000, 8_000);
    await chatWell(key, { mode: 'payg' });
    expect(upstream.requests[0]!.body.max_tokens).toBeLessThan(2_500);
    expectRefusal(await chat(key), 402, 'key_budget_exhausted');
    const spent = (await ledger(key)).filter(({ kind }) => kind === 'usage');
    expect(spent.map(({ microcredits }) => microcredits)).toEqual([5_000_000]);
  });
});
