import { afterEach, describe, expect, test } from 'bun:test';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { KNOWN, left, MODEL, openLimitedGateway } from '../support/limited-gateway.ts';
import { answerWell, type UpstreamAnswer } from '../support/recording-upstream.ts';
import { shareOf } from '../support/share-of.ts';

const { upstream, server, advance, chat, keyOn } = await openLimitedGateway();

/** Makes an upstream that reports this usage. */
const answerUsing =
  (prompt_tokens: number, completion_tokens: number): UpstreamAnswer =>
  async (request) => {
    const body = (await ((await answerWell(request)) as Response).json()) as Record<string, unknown>;
    const total_tokens = prompt_tokens + completion_tokens;
    return Response.json({ ...body, usage: { prompt_tokens, completion_tokens, total_tokens } });
  };

describe('tokens', () => {
  afterEach(() => upstream.answer('hidden-counted', answerWell));

  test('are refused beyond the limit per minute until enough have left the window [LIM-20] [LIM-41]', async () => {
    const { account, key } = await server.createKey('starter');
    await server.admin('PATCH', `/accounts/${account}`, { plan_overrides: { tokens_per_min: 1_000 } });
    const long = { messages: [{ role: 'user', content: 'word '.repeat(600) }] };
    upstream.answer('hidden-counted', answerUsing(610, 20));
    const first = await chat(key, long);
    expect(first.status).toBe(200);
    expect(left(first, 'tokens')).toBe(370);
    const refused = await chat(key, long);
    expectRefusal(refused, 429, 'tokens_per_minute_exceeded');
    await advance(Number(refused.headers.get('retry-after')));
    expect((await chat(key, long)).status).toBe(200);
  });

  test('are counted by their real number when it is known [LIM-41]', async () => {
    const { account, key } = await server.createKey('starter');
    await server.admin('PATCH', `/accounts/${account}`, { plan_overrides: { tokens_per_min: 100_000 } });
    upstream.answer('hidden-counted', answerUsing(30_000, 20_000));
    await chat(key);
    const after = await server.call('/v1/models', { headers: bearer(key) });
    expect(left(after, 'tokens')).toBe(50_000);
  });

  test('of a request larger than the window are admitted when the window is empty [LIM-42]', async () => {
    const { account, key } = await server.createKey('starter');
    await server.admin('PATCH', `/accounts/${account}`, { plan_overrides: { tokens_per_min: 100 } });
    const long = { messages: [{ role: 'user', content: 'word '.repeat(600) }] };
    upstream.answer('hidden-counted', answerUsing(610, 20));
    expect((await chat(key, long)).status).toBe(200);
    expectRefusal(await chat(key, long), 429, 'tokens_per_minute_exceeded');
  });
});

describe("a prompt's length", () => {
  const prompt = (words: number) => ({ messages: [{ role: 'user', content: 'hello '.repeat(words) }] });
  const ask = async (plan: string, words: number) => chat(await keyOn(plan), prompt(words));

  test('is bounded on Free [PLN-31] [PLN-32]', async () => {
    expect((await ask('free', 15_500)).status).toBe(200);
    const refused = await ask('free', 17_500);
    expectRefusal(refused, 400, 'input_exceeds_plan');
    expect(refused.body.error.message).toContain('16,384');
    expectRefusal(await ask('free', 150_000), 400, 'input_exceeds_plan');
  });

  const dense = (length: number) =>
    Array.from({ length }, (_, at) => String.fromCharCode(0x410 + ((at * at * 7 + at * 3) % 64))).join('');
  const bodies: Record<string, (text: string) => Json> = {
    '/v1/chat/completions': (text) => ({ messages: [{ role: 'user', content: text }] }),
    '/v1/messages': (text) => ({ max_tokens: 9, system: text, messages: [{ role: 'user', content: 'x' }] }),
    '/v1/responses': (text) => ({ input: [{ role: 'user', content: [{ type: 'input_text', text }] }] }),
    '/v1/completions': (text) => ({ prompt: text }),
    '/v1/completions?several': (text) => ({ prompt: ['say: hello', text] }),
  };
  for (const [path, bodyOf] of shareOf(Object.entries(bodies), { turn: 0, of: 2 }))
    test(`is counted in tokens, regardless of words and lines: ${path} [PLN-31]`, async () => {
      const key = await keyOn('free');
      const send = (text: string) =>
        server.call(path, { headers: bearer(key), body: { model: KNOWN, ...bodyOf(text) } });
      for (const text of [
        dense(40_000),
        '\ud55c\uae00'.repeat(3) + dense(90_000),
        ' '.repeat(200_000) + dense(40_000),
      ])
        expect((await send(text)).body.error.code).toBe('input_exceeds_plan');
      for (const text of [dense(8_000), `${'\n'.repeat(60_000)}hello`])
        expect(await send(text)).toMatchObject({ status: 200 });
    });

  for (const plan of ['launch', 'starter', 'pro', 'max', 'scale', 'payg', 'enterprise'])
    test(`is bounded only by the model on ${plan} [PLN-33]`, async () => {
      expect((await ask(plan, 110_000)).status).toBe(200);
    });

  test('is not bounded by Free in pay-as-you-go mode [PLN-35]', async () => {
    const { account, key } = await server.createKey('free');
    await server.purchase(account, 5);
    const headers = { ...bearer(key), 'x-svc-payment-mode': 'payg' };
    const body = { ...chatBody(MODEL), ...prompt(17_500) };
    expect((await server.call('/v1/chat/completions', { headers, body })).status).toBe(200);
  });
});
