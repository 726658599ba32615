import { describe, expect, test } from 'bun:test';
import type { Json } from '../support/call.ts';
import { openWorkHouse, strangersAt } from './work-house.ts';

const house = await openWorkHouse();
const { server, owner, account, at, keysNamed } = house;

const asks: Record<string, (model: string, text?: string) => Json> = {
  messages: (model, text = 'say: hello') => ({
    model,
    max_tokens: 200,
    messages: [{ role: 'user', content: text }],
  }),
  responses: (model, text = 'say: hello') => ({ model, input: text, store: false }),
  chat: (model, text = 'say: hello') => ({ model, messages: [{ role: 'user', content: text }] }),
};
const send = (dialect: string, body: Json, headers: Record<string, string> = {}) =>
  owner.call(at(`/playground/${dialect}`), { body, headers });
const receiptOf = async (id: string) => (await server.admin('GET', `/ledger/entries/${id}`)).body;

describe('the playground', () => {
  test('answers in each dialect, and charges one key that it makes itself', async () => {
    const texts: Json[] = [];
    for (const [dialect, ask] of Object.entries(asks)) {
      const answer = await send(dialect, ask('able'));
      expect([dialect, answer.status, answer.text.includes('hello')]).toEqual([dialect, 200, true]);
      texts.push(await receiptOf(answer.headers.get('x-svc-request-id')!));
    }
    const keys = await keysNamed('Playground');
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ revoked_at: null, account_id: account });
    for (const entry of texts)
      expect(entry).toMatchObject({ account_id: account, key_id: keys[0].id, kind: 'usage' });
  });

  test('streams, and reports what the translation drops', async () => {
    const body = { ...asks.chat!('able'), stream: true, logit_bias: { '1': 1 } };
    const answer = await send('chat', body);
    expect(answer.headers.get('content-type')).toStartWith('text/event-stream');
    expect(answer.headers.get('x-svc-translation-losses')).toContain('logit-bias');
    expect(answer.text).toEndWith('data: [DONE]\n\n');
  });

  test('two first requests at the same time leave one valid key', async () => {
    const [known] = (await keysNamed('Playground')).filter(({ revoked_at }) => revoked_at === null);
    await server.admin('DELETE', `/keys/${known.id}`);
    const answers = await Promise.all([1, 2, 3].map(() => send('chat', asks.chat!('able'))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const valid = (await keysNamed('Playground')).filter(({ revoked_at }) => revoked_at === null);
    expect(valid).toHaveLength(1);
    expect(valid[0].id).not.toBe(known.id);
  });

  test('obeys the limits of its key', async () => {
    const [key] = (await keysNamed('Playground')).filter(({ revoked_at }) => revoked_at === null);
    await server.admin('PATCH', `/keys/${key.id}`, { allowed_models: ['on-chat'] });
    const refused = await send('chat', asks.chat!('able'));
    expect([refused.status, refused.body.error.code]).toEqual([403, 'permission_denied']);
    expect((await send('chat', asks.chat!('on-chat'))).status).toBe(200);
    await server.admin('PATCH', `/keys/${key.id}`, { allowed_models: null, monthly_cap_usd: 0.000001 });
    const capped = await send('chat', asks.chat!('able'));
    expect([capped.status, capped.body.error.code]).toEqual([402, 'key_budget_exhausted']);
    await server.admin('PATCH', `/keys/${key.id}`, { monthly_cap_usd: null });
    expect((await send('chat', asks.chat!('able'))).status).toBe(200);
  });

  test('quotes without a charge', async () => {
    const before = (await server.admin('GET', `/accounts/${account}`)).body.credits.used;
    const answer = await owner.call(at('/playground/quote?endpoint=/v1/messages'), {
      body: asks.messages!('able'),
    });
    expect(answer.body).toMatchObject({ object: 'quote', endpoint: '/v1/messages', admitted: true });
    expect(answer.body.credits.highest).toBeGreaterThan(answer.body.credits.lowest);
    expect((await server.admin('GET', `/accounts/${account}`)).body.credits.used).toBe(before);
    const refused = await owner.call(at('/playground/quote'), { body: asks.chat!('paid') });
    expect(refused.body).toMatchObject({ admitted: false, checks: { plan: { admitted: false } } });
  });

  test('lists the models, and the key without its secret', async () => {
    const { body, text } = await owner.call(at('/playground'));
    expect(body.models.map(({ id }: Json) => id)).toEqual([
      'able',
      'on-chat',
      'blind',
      'slow',
      'ill',
      'paid',
    ]);
    expect(body).toMatchObject({
      ...{ base_url: server.url, key: { name: 'Playground' }, plan: 'enterprise' },
      headers: { request_id: 'x-svc-request-id', losses: 'x-svc-translation-losses' },
    });
    expect(body.models[0]).toMatchObject({ included: true, reasoning_efforts: ['low', 'medium', 'high'] });
    expect(body.models.at(-1)).toMatchObject({ included: false, unlocked_by: 'payg' });
    expect(text).not.toContain('hidden');
    expect(text).not.toMatch(/svc_[0-9A-Za-z]{20}/);
  });

  test('refuses nobody, other organizations, and pages of other sites', async () => {
    for (const path of ['/playground/messages', '/playground/chat', '/playground/quote'])
      expect(await strangersAt(house, { method: 'POST', path, body: asks.chat!('able') })).toEqual([
        401, 401, 404,
      ]);
    expect(await strangersAt(house, { path: '/playground' })).toEqual([401, 401, 404]);
    const elsewhere = await send('chat', asks.chat!('able'), { origin: 'https://evil.example' });
    expect(elsewhere.status).toBe(403);
    const keyOnly = await server.call(`/dashboard/v1${at('/playground/chat')}`, {
      body: asks.chat!('able'),
      headers: { origin: server.url, authorization: `Bearer ${house.key.key}` },
    });
    expect(keyOnly.status).toBe(401);
  });

  test('a client that leaves is charged for what it got', async () => {
    const stop = new AbortController();
    const body = { ...asks.chat!('slow', 'count to 500'), stream: true };
    const path = `${server.url}/dashboard/v1${at('/playground/chat')}`;
    const response = await fetch(path, {
      ...{ method: 'POST', body: JSON.stringify(body), signal: stop.signal },
      headers: { origin: server.url, cookie: owner.cookie },
    });
    await response.body!.getReader().read();
    stop.abort();
    const id = response.headers.get('x-svc-request-id')!;
    let entry: Json;
    do entry = await receiptOf(id);
    while (entry.kind !== 'usage');
    expect(entry.receipt.outcome).toBe('left');
  });
});
