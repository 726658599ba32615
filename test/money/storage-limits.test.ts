import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { batchClient, chatFlavor } from '../support/batch-client.ts';
import { type Answer, bearer, chatBody, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { isLong } from '../support/is-long.ts';
import { dataOf } from '../support/messages-body.ts';
import { isOnPostgres } from '../support/postgres/database-of.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { storeRows } from '../support/store-rows.ts';
import { underAttack } from '../support/under-attack.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel, wirePrefix } from '../support/wire-models.ts';

const upstream = serveSimulator({});
const KB = 1024;
const MB = KB * KB;
const wideLimits = { requests_per_min: 1_000_000, tokens_per_min: 1_000_000_000 };
const config = (fields: Json = {}) => ({
  providers: (['openai-chat', 'openai-responses'] as const).map((wire) => ({
    id: wire,
    wire,
    base_url: upstream.url + wirePrefix[wire],
  })),
  catalog: {
    default: false,
    models: (['openai-chat', 'openai-responses'] as const).map((wire) =>
      ableModel(wire, [{ provider: wire, model: 'hidden' }]),
    ),
  },
  plans: {
    free: { tokens_per_min: 1_000_000_000 },
    starter: { ...wideLimits, stored_mb: 1 },
    pro: { ...wideLimits, stored_mb: null },
    payg: { ...wideLimits, stored_mb: 2 },
  },
  ...fields,
});
const server = await startServer({ config: config(), environment: { TOLLGATE_TEST_CLOCK: '1' } });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const advance = (seconds: number) => server.admin('POST', '/test/clock', { advance_s: seconds });
const respond = ({ key }: CreatedKey, fields: Json = {}, headers: Record<string, string> = {}) =>
  server.call('/v1/responses', {
    headers: { ...bearer(key), ...headers },
    body: { model: 'openai-chat', input: 'say: hi', max_output_tokens: 20, ...fields },
  });
const read = ({ key }: CreatedKey, id: string) =>
  server.call(`/v1/responses/${id}`, { headers: bearer(key) });
const stored = async ({ account }: CreatedKey): Promise<Json> => (await server.readAccount(account)).stored;
const longText = (kilobytes: number) => 'long '.repeat((kilobytes * KB) / 5);
const metric = async (name: string): Promise<string[]> =>
  (await server.call('/metrics')).text.split('\n').filter((line) => line.startsWith(name));

/** Stores responses until the quota of 1 MB is full. */
async function fill(key: CreatedKey): Promise<Answer[]> {
  const answers: Answer[] = [];
  do answers.push(await respond(key, { input: longText(120) }));
  while (answers.at(-1)!.body.store);
  return answers;
}

describe('responses past the quota', () => {
  test('are answered but not stored while stored responses stay for their day [LIM-45]', async () => {
    const key = await server.createKey('starter');
    const answers = await fill(key);
    const [first] = answers;
    const last = answers.at(-1)!;
    expect(answers.length).toBeWithin(7, 10);
    expect(last.status).toBe(200);
    expect(last.body.output[0].content[0].text).toBeString();
    expectRefusal(await read(key, last.body.id), 404, 'not_found', 'previous_response_id');
    expect((await read(key, first!.body.id)).text).toBe(first!.text);
    const { bytes, limit_bytes } = await stored(key);
    expect(limit_bytes).toBe(MB);
    expect(bytes).toBeLessThanOrEqual(limit_bytes);
    const usage = await server.call('/v1/usage', { headers: bearer(key.key) });
    expect(usage.body.stored).toEqual({ bytes, limit_bytes });
    // A stored response can still be continued.
    const next = await respond(key, { input: longText(120), previous_response_id: first!.body.id });
    expect({
      status: next.status,
      store: next.body.store,
      previous_response_id: next.body.previous_response_id,
    }).toEqual({ status: 200, store: false, previous_response_id: first!.body.id });
    expect((await metric('tollgate_not_stored_total')).join()).toContain('what="response",reason="quota"');
    // Another account has room, and so does the same account after a day.
    expect((await respond(await server.createKey('starter'))).body.store).toBe(true);
    await advance(86_402);
    await waitFor(async () => (await stored(key)).bytes === 0);
    expect((await respond(key)).body.store).toBe(true);
  });

  for (const model of ['openai-chat', 'openai-responses'])
    test(`report store: false in every event of a stream, on ${model} [LIM-45] [RSP-08]`, async () => {
      const key = await server.createKey('starter');
      await fill(key);
      const { text } = await respond(key, { model, stream: true, input: longText(120) });
      const reported = dataOf(text).flatMap(({ response }: Json) => (response ? [response.store] : []));
      expect(reported.length).toBeGreaterThan(1);
      expect(new Set(reported)).toEqual(new Set([false]));
    });

  test('are stored again after a deletion or with a larger quota [LIM-45]', async () => {
    const key = await server.createKey('starter');
    const [first] = await fill(key);
    const again = { input: longText(120) };
    expect((await respond(key, again)).body.store).toBe(false);
    await server.purchase(key.account, 10);
    expect((await respond(key, again, { 'x-svc-payment-mode': 'payg' })).body.store).toBe(true);
    await server.admin('PATCH', `/accounts/${key.account}`, { plan_overrides: { stored_mb: 4 } });
    expect((await respond(key, again)).body.store).toBe(true);
    await server.admin('PATCH', `/accounts/${key.account}`, { plan_overrides: null });
    expect((await respond(key, again)).body.store).toBe(false);
    const before = (await stored(key)).bytes;
    await server.call(`/v1/responses/${first!.body.id}`, { method: 'DELETE', headers: bearer(key.key) });
    expect((await stored(key)).bytes).toBeWithin(before - 200 * KB, before - 100 * KB);
  });
});

describe('a batch past the quota', () => {
  const items = (count: number, kilobytes: number) => ({
    requests: Array.from({ length: count }, (_, index) => ({
      custom_id: `item-${index}`,
      params: chatBody('openai-chat', {
        max_tokens: 20,
        messages: [{ role: 'user', content: longText(kilobytes) }],
      }),
    })),
  });

  test('is refused without a count against a rate limit until enough has expired [LIM-45] [LIM-29]', async () => {
    const key = await server.createKey('starter');
    const client = batchClient(server, { flavor: chatFlavor, key: key.key });
    await respond(key, { input: longText(100) });
    await advance(100);
    await fill(key);
    const left = ({ headers }: Answer) => headers.get('x-ratelimit-remaining-requests');
    const first = await client.post(items(8, 90));
    expectRefusal(first, 429, 'rate_limit_exceeded');
    expect(first.body.error.message).toContain('quota of stored bytes');
    expect(first.body.error.message).toContain(MB.toLocaleString('en-US'));
    const refused = await client.post(items(1, 90));
    expectRefusal(refused, 429, 'rate_limit_exceeded');
    expect(left(refused)).toBe(left(first));
    const waitS = Number(refused.headers.get('retry-after'));
    expect(waitS).toBeWithin(86_000, 86_302);
    await advance(waitS - 10);
    expectRefusal(await client.post(items(1, 90)), 429, 'rate_limit_exceeded');
    await advance(10);
    const batch = await client.post(items(1, 90));
    expect(batch.status).toBe(200);
    expectRefusal(await client.post(items(8, 90)), 429, 'rate_limit_exceeded');
  });

  test('that alone exceeds the quota is refused with that reason [LIM-45]', async () => {
    const key = await server.createKey('starter');
    const refused = await server.call('/v1/batches', { headers: bearer(key.key), body: items(20, 90) });
    expectRefusal(refused, 429, 'rate_limit_exceeded');
    expect(refused.body.error.message).toContain('the batch alone takes');
    expect(Number(refused.headers.get('retry-after'))).toBe(86_400);
  });

  test('deletes the request of each item when the item ends [LIM-45]', async () => {
    const key = await server.createKey('starter');
    const client = batchClient(server, { flavor: chatFlavor, key: key.key });
    const { requests } = items(8, 90);
    for (const { params } of requests.slice(4)) params.model = 'unknown';
    const batch = await client.post({ requests });
    expect(batch.status).toBe(200);
    await waitFor(async () => (await client.view(batch.body.id)).processing_status === 'ended');
    const { bytes } = await stored(key);
    expect(bytes).toBeWithin(8 * 512, 40 * KB);
    expect((await client.get(`/${batch.body.id}/results`)).text.trim().split('\n')).toHaveLength(8);
    expect((await client.post(items(9, 90))).status).toBe(200);
  });
});

describe('below the floor of free space', () => {
  const reload = async (fields: Json) => {
    server.configure(config(fields));
    expect((await server.reload()).status).toBe(200);
  };
  /** The disk of a Postgres server is not visible, so its database has a largest size. */
  const size = isOnPostgres ? { max_database_mb: 10_000 } : {};
  const isLow = async () => (await metric('tollgate_store_space_low')).includes('tollgate_store_space_low 1');
  afterEach(() => reload({}));

  test('requests are served but not stored until there is room again [LIM-45]', async () => {
    const key = await server.createKey('pro');
    const client = batchClient(server, { flavor: chatFlavor, key: key.key });
    const item = { requests: client.items(['openai-chat']) };
    const before = await respond(key);
    await reload({ store: { ...size, min_free_mb: 1_048_576 } });
    await waitFor(isLow);
    await waitFor(() => server.log().includes('"disk-space-low"'));
    const answer = await respond(key);
    expect({ status: answer.status, store: answer.body.store }).toEqual({ status: 200, store: false });
    expectRefusal(await read(key, answer.body.id), 404, 'not_found', 'previous_response_id');
    expect((await read(key, before.body.id)).text).toBe(before.text);
    const refused = await client.post(item);
    expectRefusal(refused, 503, 'capacity_unavailable');
    expect(refused.headers.get('retry-after')).toBe('60');
    expect((await server.chat(key.key, 'openai-chat')).status).toBe(200);
    expect((await metric('tollgate_store_free_bytes')).join()).toMatch(/\d{6,}/);
    await reload({ store: { ...size, min_free_mb: 1 } });
    await waitFor(async () => !(await isLow()));
    await waitFor(() => server.log().includes('"disk-space-recovered"'));
    expect(server.log().includes('restart-needed')).toBe(false);
    expect((await respond(key)).body.store).toBe(true);
    expect((await client.post(item)).status).toBe(200);
  });
});

describe('a Free key that fills the disk', () => {
  const filesSize = (): number =>
    readdirSync(server.dataDirectory).reduce(
      (sum, name) => sum + statSync(join(server.dataDirectory, name)).size,
      0,
    );
  const databaseSize = async (): Promise<number> => {
    const sql = 'SELECT pg_database_size(current_database()) AS size';
    return Number((await storeRows<Json>(server.dataDirectory, sql))[0]!.size);
  };
  const storeSize = () => (isOnPostgres ? databaseSize() : filesSize());

  test('with failing batches and stored media stays within its quota [LIM-45]', async () => {
    const key = await server.createKey('free');
    await server.admin('PATCH', `/accounts/${key.account}`, {
      plan_overrides: { requests_per_min: 1_000, concurrent: 8, network_requests_per_min: null },
    });
    const bystander = await server.createKey('pro');
    const requests = Array.from({ length: 30 }, (_, index) => ({
      custom_id: `item-${index}`,
      params: { model: 'unknown', messages: [], filler: 'x'.repeat(98 * KB) },
    }));
    const image_url = `data:image/png;base64,${'A'.repeat(2 * MB)}`;
    const input = [{ role: 'user', content: [{ type: 'input_image', image_url }] }];
    const headers = bearer(key.key);
    const batch = JSON.stringify({ requests });
    const response = JSON.stringify({ model: 'openai-chat', max_output_tokens: 20, input });
    const before = await storeSize();
    const reported = await underAttack({
      pid: server.pid,
      connections: 8,
      ms: isLong ? 4_000 : 1_500,
      attack: (number) =>
        number % 2 === 0
          ? server.call('/v1/batches', { headers, body: batch })
          : server.call('/v1/responses', { headers, body: response }),
      bystander: () => server.chat(bystander.key, 'openai-chat'),
    });
    const { bytes, limit_bytes } = await stored(key);
    const grownMb = Math.round(((await storeSize()) - before) / MB);
    console.log(`stored ${Math.round(bytes / MB)} MB, the store grew by ${grownMb} MB`);
    expect(limit_bytes).toBe(20 * MB);
    // Requests that started before the quota was reached are still stored.
    expect(bytes).toBeLessThan(limit_bytes + 8 * 3 * MB);
    expect(grownMb).toBeLessThan(250);
    expect(reported.attacker[200]).toBeGreaterThan(0);
    expect(reported.answered).toBeGreaterThan(0);
  });
});
