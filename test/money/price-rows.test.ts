import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/base/lib/units.ts';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { batchClient, messagesFlavor } from '../support/batch-client.ts';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { expectOk } from '../support/expect-ok.ts';
import { ledgerEntries } from '../support/ledger-entries.ts';
import { startRecordingUpstream, type UpstreamAnswer } from '../support/recording-upstream.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

// A dollar per million tokens is 500 micro-credits a token.

const upstream = startRecordingUpstream();
const now = Date.now();
const inHours = (hours: number): string => new Date(now + hours * HOUR_MS).toISOString();
/** The minute that begins in this many hours, in UTC. */
const clockIn = (hours: number): string => inHours(hours).slice(11, 16);

const prices = (conditions: Json[], more: Json = {}) => ({
  pricing_usd_per_mtok: { input: 1, output: 4, cached_input: 0.1, conditions },
  ...more,
});
const model = (id: string, fields: Json) =>
  ableModel(id, [{ provider: 'hidden', model: `hidden-${id}` }], fields);

const config = {
  simulator: { mode: 'off' },
  limits: { batch_concurrent: 1 },
  providers: [
    { id: 'hidden', wire: 'openai-chat', base_url: upstream.url },
    { id: 'hidden-messages', wire: 'anthropic-messages', base_url: upstream.url },
  ],
  catalog: {
    default: false,
    models: [
      model('dated', prices([{ name: 'later', from: inHours(2), until: inHours(4), factor: 2 }])),
      model('hourly', prices([{ name: 'peak', hours: [{ from: clockIn(6), to: clockIn(8) }], factor: 3 }])),
      model('sized', prices([{ name: 'long', above_input_tokens: 1_000, factor: 2, output: 6 }])),
      model(
        'tiered',
        prices([{ name: 'quick', tier: 'priority', factor: 5 }], { extras_usd: { flex: 0.5 } }),
      ),
      model('regional', prices([{ name: 'eu', region: 'eu', factor: 1.5 }])),
      model('coming', prices([{ name: 'soon', tier: 'ultrafast', from: inHours(200), factor: 6 }])),
      ableModel('several', [{ provider: 'hidden-messages', model: 'hidden-several' }], {
        ...prices([{ name: 'long', above_input_tokens: 1_000, factor: 2 }]),
      }),
      model('waiting', prices([{ name: 'long-ago', until: inHours(12), factor: 7 }])),
    ],
  },
};
const server = await startServer({ config, environment: { TOLLGATE_TEST_CLOCK: '1' } });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
beforeEach(upstream.forget);

let advanced = 0;
/** Moves the clock to this many hours after the start of the test. */
async function at(hours: number): Promise<void> {
  const { status } = await server.admin('POST', '/test/clock', { advance_s: (hours - advanced) * 3_600 });
  expect(status).toBe(200);
  advanced = hours;
}

const ledgerOf = ({ account }: CreatedKey): Promise<Json[]> => ledgerEntries(server, account);

type Asked = { fields?: Json; usage?: [input: number, output: number]; tier?: string };

const reporting =
  ([input, output]: [number, number], tier: string | undefined): UpstreamAnswer =>
  async (request) => {
    const body = (await (await answerWithUsage(input, output)(request)).json()) as Json;
    return Response.json({ ...body, ...(tier && { service_tier: tier }) });
  };

/** Sends a request and returns its charge, as the ledger, the receipt and the client's headers show it. */
async function charged(id: string, { fields = {}, usage = [10, 5], tier }: Asked = {}) {
  const key = await server.createKey('enterprise');
  upstream.answer(`hidden-${id}`, reporting(usage, tier));
  expectOk(await server.chat(key.key, id, fields));
  return chargeOf(key);
}

async function chargeOf(key: CreatedKey) {
  const [entry] = await ledgerOf(key);
  const receipt = await server.call(`/v1/usage/${entry.request_id}`, { headers: bearer(key.key) });
  expect(receipt.body).toMatchObject({
    microcredits: entry.microcredits,
    price_row: entry.receipt.price_row,
  });
  return { microcredits: entry.microcredits, row: entry.receipt.price_row, entry, receipt: receipt.body };
}

const BASE = 10 * 500 + 5 * 2_000;

describe('the time of a row', () => {
  test('is that of the admission even if the answer ends after it [CRD-54]', async () => {
    expect(await charged('dated')).toMatchObject({ microcredits: BASE, row: 'base' });
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.answer('hidden-dated', async (request) => {
      await promise;
      return answerWithUsage(10, 5)(request);
    });
    const key = await server.createKey('enterprise');
    const open = server.chat(key.key, 'dated');
    await waitFor(() => upstream.models().length > 1);
    await at(2.1);
    expect(await charged('dated')).toMatchObject({ microcredits: 2 * BASE, row: 'later' });
    resolve();
    expect((await open).status).toBe(200);
    expect(await chargeOf(key)).toMatchObject({ microcredits: BASE, row: 'base' });
    await at(4.1);
    expect(await charged('dated')).toMatchObject({ microcredits: BASE, row: 'base' });
  });

  test('can be a window of hours, of which `/v1/models` shows the current and the next [CRD-54]', async () => {
    const { key } = await server.createKey('enterprise');
    const shown = async () =>
      (await server.call('/v1/models/hourly', { headers: bearer(key) })).body.svc.prices;
    expect(await shown()).toMatchObject({
      now: { row: 'base', input: 1, output: 4, cached_input: 0.1 },
      next: { row: 'peak', input: 3, output: 12, cached_input: 0.3 },
      conditions: [{ name: 'peak', hours: [{ from: clockIn(6), to: clockIn(8) }], input: 3 }],
    });
    const list = async () => (await server.call('/v1/models', { headers: bearer(key) })).body.data;
    const listed = async () => (await list()).find(({ id }: Json) => id === 'hourly').svc.prices.now.row;
    expect(await listed()).toBe('base');
    await at(6.1);
    expect(await charged('hourly')).toMatchObject({ microcredits: 3 * BASE, row: 'peak' });
    expect(await shown()).toMatchObject({ now: { row: 'peak' }, next: { row: 'base' } });
    expect(await listed()).toBe('peak');
    await at(8.1);
    expect(await charged('hourly')).toMatchObject({ microcredits: BASE, row: 'base' });
  });

  test("of a batch's item is that of the batch's creation [CRD-54]", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.answer('hidden-waiting', async (request) => {
      await promise;
      return answerWithUsage(10, 5)(request);
    });
    const key = await server.createKey('enterprise');
    const client = batchClient(server, { flavor: messagesFlavor, key: key.key });
    const { id } = await client.create(['waiting', 'waiting', 'waiting']);
    await waitFor(() => upstream.models().length > 0);
    await at(12.1);
    resolve();
    await client.ended(id);
    const entries = await ledgerOf(key);
    expect(entries.map((entry) => [entry.microcredits, entry.receipt.price_row])).toEqual(
      Array(3).fill([7 * BASE, 'long-ago']),
    );
    expect(await charged('waiting')).toMatchObject({ microcredits: BASE, row: 'base' });
  });
});

test('a large input decides the price of the whole request [CRD-54]', async () => {
  expect(await charged('sized', { usage: [1_000, 5] })).toMatchObject({
    microcredits: 1_000 * 500 + 5 * 2_000,
    row: 'base',
  });
  const { receipt, ...long } = await charged('sized', { usage: [1_001, 5] });
  expect(long).toMatchObject({ microcredits: 1_001 * 1_000 + 5 * 3_000, row: 'long' });
  expect(receipt.prices.map((row: Json) => row.usd_per_mtok)).toEqual([2, 0.2, 2, 6]);
  expect(receipt.explanation).toContain('The prices are those of the row long.');
});

test('answers that are asked for one by one do not become one large answer [CRD-54]', async () => {
  const answering =
    (input: number): UpstreamAnswer =>
    () =>
      Response.json({
        id: 'x',
        type: 'message',
        role: 'assistant',
        model: 'x',
        stop_reason: 'end_turn',
        stop_sequence: null,
        content: [{ type: 'text', text: 'one' }],
        usage: { input_tokens: input, output_tokens: 5 },
      });
  const costOf = async (input: number) => {
    const key = await server.createKey('enterprise');
    upstream.answer('hidden-several', answering(input));
    expect((await server.chat(key.key, 'several', { n: 3 })).status).toBe(200);
    return chargeOf(key);
  };
  expect(await costOf(600)).toMatchObject({ microcredits: 3 * (600 * 500 + 5 * 2_000), row: 'base' });
  expect(await costOf(1_001)).toMatchObject({ microcredits: 6 * (1_001 * 500 + 5 * 2_000), row: 'long' });
});

test('a more expensive tier is billed by its row if the request asked for it and the upstream reports it [CRD-54]', async () => {
  const fields = { service_tier: 'priority' };
  expect(await charged('tiered', { fields, tier: 'priority' })).toMatchObject({
    microcredits: 5 * BASE,
    row: 'quick',
  });
  expect(await charged('tiered', { fields, tier: 'default' })).toMatchObject({ row: 'base' });
  expect(await charged('tiered', { tier: 'priority' })).toMatchObject({ microcredits: BASE, row: 'base' });
  expect(await charged('tiered', { fields: { service_tier: 'flex' }, tier: 'flex' })).toMatchObject({
    microcredits: BASE / 2,
    row: 'base',
  });
});

test('a tier has a price from the date of its row on [CRD-54]', async () => {
  const fields = { service_tier: 'ultrafast' };
  const { key } = await server.createKey('enterprise');
  const early = await server.chat(key, 'coming', fields);
  expect({ status: early.status, losses: early.headers.get('x-svc-translation-losses') }).toEqual({
    status: 200,
    losses: 'service-tier',
  });
  expect(upstream.requests.at(-1)!.body.service_tier).toBeUndefined();
  await at(200.1);
  expect(await charged('coming', { fields, tier: 'ultrafast' })).toMatchObject({
    microcredits: 6 * BASE,
    row: 'soon',
  });
});

test('a reload changes no price of a request under way or of a receipt [CRD-54]', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  upstream.answer('hidden-dated', async (request) => {
    await promise;
    return answerWithUsage(10, 5)(request);
  });
  const key = await server.createKey('enterprise');
  const open = server.chat(key.key, 'dated');
  await waitFor(() => upstream.models().length > 0);
  const models = config.catalog.models.map((one) =>
    one.id === 'dated' ? model('dated', prices([{ name: 'always', factor: 10 }])) : one,
  );
  server.configure({ ...config, catalog: { ...config.catalog, models } });
  expect((await server.reload()).status).toBe(200);
  expect(await charged('dated')).toMatchObject({ microcredits: 10 * BASE, row: 'always' });
  resolve();
  expect((await open).status).toBe(200);
  expect(await chargeOf(key)).toMatchObject({ microcredits: BASE, row: 'base' });
});

test('a region is refused unless it has a row [CRD-54]', async () => {
  expect(await charged('regional', { fields: { inference_geo: 'eu' } })).toMatchObject({
    microcredits: 1.5 * BASE,
    row: 'eu',
  });
  const { key } = await server.createKey('enterprise');
  const refused = await server.chat(key, 'regional', { inference_geo: 'us' });
  expect({ status: refused.status, code: refused.body.error.code }).toEqual({
    status: 422,
    code: 'route_not_qualified',
  });
});

test('a hold and a quote cover the highest row that can apply [CRD-54]', async () => {
  const key = await server.createKey('payg');
  await server.purchase(key.account, 10);
  const body = chatBody('sized', { max_tokens: 50 });
  const quote = async (content: string) =>
    (
      await server.call('/v1/quote', {
        headers: { ...bearer(key.key), 'x-svc-payment-mode': 'payg' },
        body: { ...body, messages: [{ role: 'user', content }] },
      })
    ).body;
  expect((await quote('hi')).price_rows).toEqual(['base']);
  const long = await quote('word '.repeat(900));
  expect(long.price_rows).toEqual(['base', 'long']);
  upstream.answer('hidden-sized', reporting([1_020, 50], undefined));
  const messages = [{ role: 'user', content: 'word '.repeat(900) }];
  expect((await server.chat(key.key, 'sized', { max_tokens: 50, messages })).status).toBe(200);
  const { entry, row } = await chargeOf(key);
  expect(row).toBe('long');
  expect(entry.receipt.held_microcredits).toBeGreaterThanOrEqual(entry.microcredits);
  expect(entry.receipt.held_microcredits).toBe(Math.round(long.credits.highest * 1e6));
});
