import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel, chatWires, wirePrefix } from '../support/wire-models.ts';

const begun = Promise.withResolvers<void>();
const upstream = serveSimulator({ beforeFault: () => begun.promise });
const config = {
  providers: chatWires.map((wire) => ({ id: wire, wire, base_url: upstream.url + wirePrefix[wire] })),
  catalog: {
    default: false,
    models: [
      ...chatWires.map((wire) => ableModel(`on-${wire}`, [{ provider: wire, model: wire }])),
      ableModel('slow', [{ provider: 'openai-chat', model: 'slow!stall-after=2' }]),
      ableModel('failing', [{ provider: 'openai-chat', model: 'failing!status=500' }]),
    ],
  },
};
const dataDirectory = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
const environment = { TOLLGATE_TEST_CLOCK: '1' };
const start = () => startServer({ config, dataDirectory, environment });
let server = await start();
afterAll(async () => {
  await server.stop();
  await upstream.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});

const { key, account } = await server.createKey('enterprise');
const sibling = await server.createKey('enterprise', { account });
const client = () => new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
const call = (path: string, { body, method, secret = key }: Json = {}) =>
  server.call(`/v1/conversations${path}`, { headers: bearer(secret), body, method });
const respond = (body: Json, signal?: AbortSignal) =>
  server.call('/v1/responses', { headers: bearer(key), body, ...(signal && { signal }) });
const textOf = (item: Json): string => item.content.map(({ text }: Json) => text).join('');
const itemsOf = async (id: string): Promise<Json[]> => {
  const items: Json[] = [];
  for await (const item of client().conversations.items.list(id, { order: 'asc', limit: 2 }))
    items.push(item);
  return items;
};
const sent = () => JSON.stringify(upstream.requests().at(-1)!.body);
const user = (content: string) => ({ role: 'user' as const, content });

test('a conversation is created, read, changed and deleted [CNV-01] [CNV-02]', async () => {
  const { conversations } = client();
  const made = await conversations.create({ items: [user('One.')], metadata: { topic: 'fruit' } });
  expect(made).toEqual({
    id: expect.stringMatching(/^conv_[0-9A-Za-z]{22}$/),
    object: 'conversation',
    created_at: expect.any(Number),
    metadata: { topic: 'fruit' },
  });
  expect(await conversations.retrieve(made.id)).toEqual(made);
  const changed = await conversations.update(made.id, { metadata: { topic: 'nuts' } });
  expect(changed).toEqual({ ...made, metadata: { topic: 'nuts' } });
  expect(await conversations.retrieve(made.id)).toEqual(changed);
  expect(await conversations.create()).toMatchObject({ metadata: {} });
  const gone = { id: made.id, object: 'conversation.deleted', deleted: true };
  expect(await conversations.delete(made.id)).toEqual(gone as never);
  expectRefusal(await call(`/${made.id}`), 404, 'not_found', 'conversation');
  expectRefusal(await call(`/${made.id}`, { method: 'DELETE' }), 404, 'not_found', 'conversation');
});

test('items are added, listed by page, read and deleted [CNV-03]', async () => {
  const { items, ...conversations } = client().conversations;
  const { id } = await client().conversations.create({ items: [user('One.'), user('Two.')] });
  const added = await items.create(id, {
    items: [user('Three.'), { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }],
  });
  expect(added.data.map(({ type }) => type)).toEqual(['message', 'function_call']);
  const all = await itemsOf(id);
  expect(all.slice(0, 3).map(textOf)).toEqual(['One.', 'Two.', 'Three.']);
  expect(new Set(all.map((item) => item.id)).size).toBe(4);
  expect(all[0]).toMatchObject({ type: 'message', role: 'user', status: 'completed' });
  expect((await items.list(id)).data.map((item) => item.id)).toEqual(all.map((item) => item.id).reverse());
  expect(await items.retrieve(all[1].id, { conversation_id: id })).toEqual(all[1]);
  expect(await items.delete(all[1].id, { conversation_id: id })).toMatchObject({
    id,
    object: 'conversation',
  });
  expect((await itemsOf(id)).map((item) => item.id)).toEqual([all[0].id, all[2].id, all[3].id]);
  expectRefusal(await call(`/${id}/items/${all[1].id}`), 404, 'not_found', 'item_id');
  await respond({ model: 'on-openai-chat', conversation: id, input: 'say: hi' });
  expect(sent()).not.toContain('Two.');
  expect(sent()).toContain('Three.');
  expect(conversations).toBeDefined();
});

describe.each(chatWires)('on %s', (wire) => {
  test.each([
    false,
    true,
  ])('a request reads the conversation and adds to it (stream: %p) [CNV-04]', async (stream) => {
    const model = `on-${wire}`;
    const { id } = await client().conversations.create({ items: [user('Remember plum.')] });
    for (const [conversation, input] of [
      [id, 'say: first'],
      [{ id }, 'say: second'],
    ] as const) {
      const { status, text } = await respond({ model, conversation, input, stream, reasoning: {} });
      expect(status, text).toBe(200);
      const response = stream
        ? JSON.parse(/event: response.completed\ndata: (.*)/.exec(text)![1]!).response
        : JSON.parse(text);
      expect(response).toMatchObject({ conversation: { id }, previous_response_id: null, store: true });
      expect((await server.call(`/v1/responses/${response.id}`, { headers: bearer(key) })).body).toEqual(
        response,
      );
    }
    expect(sent()).toContain('plum');
    expect(sent()).toContain('first');
    const said = (await itemsOf(id)).filter(({ type }) => type === 'message').map(textOf);
    expect(said).toEqual([
      'Remember plum.',
      'say: first',
      '[simulated] first',
      'say: second',
      '[simulated] second',
    ]);
  });
});

test('a conversation takes one request at a time [CNV-05]', async () => {
  const { id } = await client().conversations.create();
  const leaving = new AbortController();
  const first = respond(
    { model: 'slow', conversation: id, input: 'say: slow words that take long', stream: true },
    leaving.signal,
  ).catch(() => undefined);
  await waitFor(() => sent().includes('slow!stall-after=2'));
  const second = { model: 'on-openai-chat', conversation: id, input: 'say: hi' };
  expectRefusal(await respond(second), 409, 'conversation_locked');
  expectRefusal(await call(`/${id}/items`, { body: { items: [user('No.')] } }), 409, 'conversation_locked');
  expect(
    (await server.call('/v1/responses/input_tokens', { headers: bearer(key), body: second })).status,
  ).toBe(200);
  leaving.abort();
  await first;
  await waitFor(async () => (await respond(second)).status === 200);
  expect((await itemsOf(id)).map(textOf)).toEqual(['say: hi', '[simulated] hi']);
  const both = await Promise.all([respond(second), respond(second)]);
  expect(both.map(({ status }) => status).sort()).toBeOneOf([
    [200, 409],
    [200, 200],
  ]);
  const added = both.filter(({ status }) => status === 200).length;
  expect(await itemsOf(id)).toHaveLength(2 + 2 * added);
});

test('a request that fails or is refused leaves the conversation free and unchanged [CNV-05]', async () => {
  const { id } = await client().conversations.create();
  const failed = await respond({ model: 'failing', conversation: id, input: 'Hello.' });
  expect(failed.status).toBe(503);
  const invalid = await respond({
    model: 'on-openai-chat',
    conversation: id,
    input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file-1' }] }],
  });
  expect(invalid.status).toBe(422);
  expect(await itemsOf(id)).toEqual([]);
  expect((await respond({ model: 'on-openai-chat', conversation: id, input: 'say: hi' })).status).toBe(200);
});

test('only the key that created a conversation has it, until a day after its last change [CNV-06]', async () => {
  const { id } = await client().conversations.create({ items: [user('One.')] });
  const paths = [`/${id}`, `/${id}/items`];
  for (const path of paths)
    expectRefusal(await call(path, { secret: sibling.key }), 404, 'not_found', 'conversation');
  const body = { model: 'on-openai-chat', conversation: 'conv_none', input: 'Hello.' };
  expectRefusal(await respond(body), 404, 'not_found', 'conversation');
  const advance = (advance_s: number) => server.admin('POST', '/test/clock', { advance_s });
  server.signal('SIGKILL');
  await server.exited;
  await server.stop();
  server = await start();
  expect(await itemsOf(id)).toHaveLength(1);
  await advance(86_000);
  await client().conversations.items.create(id, { items: [user('Two.')] });
  await advance(86_000);
  expect(await itemsOf(id)).toHaveLength(2);
  await advance(500);
  expectRefusal(await call(`/${id}`), 404, 'not_found', 'conversation');
});

test('invalid bodies name the member [CNV-02]', async () => {
  const many = Array.from({ length: 21 }, () => user('x'));
  expectRefusal(await call('', { body: { items: many } }), 400, 'invalid_request', 'items');
  expectRefusal(
    await call('', { body: { items: [{ role: 'nobody' }] } }),
    400,
    'invalid_request',
    'items[0].role',
  );
  expectRefusal(await call('', { body: { metadata: { a: 1 } } }), 400, 'invalid_request', 'metadata.a');
  const wide = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v']));
  expectRefusal(await call('', { body: { metadata: wide } }), 400, 'invalid_request', 'metadata');
  const { id } = await client().conversations.create();
  expectRefusal(await call(`/${id}/items?limit=0`), 400, 'invalid_request', 'limit');
  const body = { model: 'on-openai-chat', conversation: id, input: 'Hello.' };
  expectRefusal(
    await respond({ ...body, previous_response_id: 'resp_1' }),
    400,
    'invalid_request',
    'conversation',
  );
  expectRefusal(await respond({ ...body, store: false }), 400, 'invalid_request', 'store');
});

test('a full quota refuses new items, and responses are not kept [CNV-06]', async () => {
  const { account: small, key: own } = await server.createKey('free');
  await server.admin('PATCH', `/accounts/${small}`, { plan_overrides: { stored_mb: 0.002 } });
  const refused = await call('', { secret: own, body: { items: [user('x'.repeat(4_000))] } });
  expect(expectRefusal(refused, 429, 'rate_limit_exceeded').message).toContain('quota of stored bytes');
  // The items alone fit, and their two forms do not. Nothing is left of the conversation.
  await server.admin('PATCH', `/accounts/${small}`, { plan_overrides: { stored_mb: 0.006 } });
  const partly = await call('', { secret: own, body: { items: [user('x'.repeat(4_000))] } });
  expectRefusal(partly, 429, 'rate_limit_exceeded');
  expect((await server.admin('GET', `/accounts/${small}`)).body.stored.bytes).toBe(0);
});
