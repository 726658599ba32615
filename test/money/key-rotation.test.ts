import { describe, expect, test } from 'bun:test';
import { batchClient, chatFlavor } from '../support/batch-client.ts';
import { type Answer, bearer } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { left, MODEL, ONE_AT_A_TIME, openLimitedGateway } from '../support/limited-gateway.ts';
import { messagesBody } from '../support/messages-body.ts';
import { answerWell } from '../support/recording-upstream.ts';
import { waitFor } from '../support/wait-for.ts';

const { advance, chat, server, upstream } = await openLimitedGateway();

const rotate = async (id: string, overlap_s = 0): Promise<string> => {
  const { status, body } = await server.admin('POST', `/keys/${id}/rotate`, { overlap_s });
  expect({ status, id: body.id }).toEqual({ status: 200, id });
  return body.key;
};

describe('a key that expires', () => {
  test('is 401 everywhere from that time until a later one is set', async () => {
    const { body: clock } = await advance(1);
    const expires_at = new Date(Date.parse(clock.now) + 60_000).toISOString();
    const { id, key } = await server.createKey('pro', { expires_at });
    expect((await chat(key)).status).toBe(200);
    await advance(60);
    const answers = [
      await chat(key),
      await server.call('/v1/usage', { headers: bearer(key) }),
      await server.call('/v1/messages', {
        headers: { 'x-api-key': key },
        body: messagesBody(MODEL, { max_tokens: 5 }),
      }),
    ];
    const message = `This API key expired at ${expires_at}.`;
    for (const { status, body } of answers)
      expect({ status, code: body.error.code, message: body.error.message }).toEqual({
        status: 401,
        code: 'revoked_api_key',
        message,
      });
    await server.admin('PATCH', `/keys/${id}`, { expires_at: null });
    expect((await chat(key)).status).toBe(200);
  });
});

describe('a rotated key', () => {
  test('has at most two secrets during the overlap and afterwards only the new one', async () => {
    const { id, key } = await server.createKey('pro');
    expect((await chat(key)).status).toBe(200);
    const next = await rotate(id, 60);
    for (const valid of [key, next]) expect((await chat(valid)).status).toBe(200);
    const last = await rotate(id, 60);
    expectRefusal(await chat(key), 401, 'revoked_api_key');
    for (const valid of [next, last]) expect((await chat(valid)).status).toBe(200);
    await advance(60);
    for (const replaced of [key, next]) expectRefusal(await chat(replaced), 401, 'revoked_api_key');
    expect((await chat(last)).status).toBe(200);
    await server.admin('DELETE', `/keys/${id}`);
    expectRefusal(await chat(last), 401, 'revoked_api_key');
  });

  test('is revoked with both of its secrets', async () => {
    const { id, key } = await server.createKey('pro');
    const next = await rotate(id, 3_600);
    for (const secret of [key, next]) expect((await chat(secret)).status).toBe(200);
    await server.admin('DELETE', `/keys/${id}`);
    for (const secret of [key, next]) expectRefusal(await chat(secret), 401, 'revoked_api_key');
  });

  test('keeps what it spent of its cap, its windows and its stored responses', async () => {
    const limits = { requests_per_min: 3 };
    const { id, key } = await server.createKey('pro', { monthly_cap_usd: 1, limits });
    const body = { model: MODEL, input: 'Hi' };
    const { body: stored } = await server.call('/v1/responses', { headers: bearer(key), body });
    const usage = async (secret: string) =>
      (await server.call('/v1/usage', { headers: bearer(secret) })).body.key;
    const spent = (await usage(key)).month_spent_usd;
    expect(spent).toBeGreaterThan(0);
    const next = await rotate(id);
    const { id: keyId, month_spent_usd } = await usage(next);
    expect({ keyId, month_spent_usd }).toEqual({ keyId: id, month_spent_usd: spent });
    const found = await server.call(`/v1/responses/${stored.id}`, { headers: bearer(next) });
    expect(found.status).toBe(200);
    const chained = { ...body, previous_response_id: stored.id };
    expect((await server.call('/v1/responses', { headers: bearer(next), body: chained })).status).toBe(200);
    expect((await chat(next)).status).toBe(200);
    expectRefusal(await chat(next), 429, 'rate_limit_exceeded');
  });

  test('keeps its batches, whose items go on without a stop', async () => {
    const { id, key } = await server.createKey('pro');
    const items = 4;
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    upstream.answer('hidden-narrow', async (request) => {
      if (++asked === 1) await gate.promise;
      return answerWell(request);
    });
    const models = Array.from({ length: items }, () => ONE_AT_A_TIME);
    const created = await batchClient(server, { flavor: chatFlavor, key }).create(models);
    await waitFor(() => asked > 0);
    const next = await rotate(id);
    gate.resolve();
    const client = batchClient(server, { flavor: chatFlavor, key: next });
    const { request_counts } = await client.ended(created.id);
    expect(request_counts.succeeded).toBe(items);
    expectRefusal(await batchClient(server, { flavor: chatFlavor, key }).list(), 401, 'revoked_api_key');
  });
});

describe("a key's own limits", () => {
  const messageOf = ({ body }: Answer): string => body.error.message;

  test('refuse only this key and show the tighter limit in headers', async () => {
    const limits = { requests_per_min: 2 };
    const { account, id, key } = await server.createKey('pro', { limits });
    const other = await server.createKey('pro', { account });
    const first = await chat(key);
    expect({
      requestLimit: first.headers.get('x-ratelimit-limit-requests'),
      left: left(first),
    }).toEqual({ requestLimit: '2', left: 1 });
    expect((await chat(key)).status).toBe(200);
    const refused = await chat(key);
    expectRefusal(refused, 429, 'rate_limit_exceeded');
    expect(messageOf(refused)).toBe('The limit of this API key is 2 requests a minute.');
    expect(left(refused)).toBe(0);
    const free = await chat(other.key);
    expect({
      status: free.status,
      requestLimit: free.headers.get('x-ratelimit-limit-requests'),
      left: left(free),
    }).toEqual({ status: 200, requestLimit: '1000', left: 997 });
    await advance(Number(refused.headers.get('retry-after')));
    expect((await chat(key)).status).toBe(200);
    await server.admin('PATCH', `/keys/${id}`, { limits: null });
    for (let count = 0; count < 3; count++) expect((await chat(key)).status).toBe(200);
  });

  test('bound its tokens in a minute', async () => {
    const { key } = await server.createKey('pro', { limits: { tokens_per_min: 100 } });
    const longPrompt = { messages: [{ role: 'user', content: 'word '.repeat(200) }] };
    const first = await chat(key, longPrompt);
    expect({
      status: first.status,
      tokenLimit: first.headers.get('x-ratelimit-limit-tokens'),
    }).toEqual({ status: 200, tokenLimit: '100' });
    const refused = await chat(key, longPrompt);
    expectRefusal(refused, 429, 'tokens_per_minute_exceeded');
    expect(messageOf(refused)).toBe('The limit of this API key is 100 tokens a minute.');
  });

  test('bound its requests at a time', async () => {
    const { account, key } = await server.createKey('pro', { limits: { concurrent: 1 } });
    const other = await server.createKey('pro', { account });
    const gate = Promise.withResolvers<void>();
    let isAsked = false;
    upstream.answer('hidden-counted', async (request) => {
      isAsked = true;
      await gate.promise;
      return answerWell(request);
    });
    const running = chat(key);
    await waitFor(() => isAsked);
    const refused = await chat(key);
    expectRefusal(refused, 429, 'concurrency_limit_exceeded');
    expect(messageOf(refused)).toBe('The limit of this API key is 1 request at a time.');
    upstream.answer('hidden-counted', answerWell);
    expect((await chat(other.key)).status).toBe(200);
    gate.resolve();
    expect((await running).status).toBe(200);
    expect((await chat(key)).status).toBe(200);
  });
});
