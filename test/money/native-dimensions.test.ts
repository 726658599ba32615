import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { batchClient, chatFlavor, type Flavor, messagesFlavor } from '../support/batch-client.ts';
import { bearer, type Json } from '../support/call.ts';
import { ledgerEntries } from '../support/ledger-entries.ts';
import { startNativeUpstream } from '../support/native/start-native-upstream.ts';
import { areSubmissionsKept, nativeConfig, nativeItems } from '../support/native-gateway.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

// Items of a provider's own batch that cost more than tokens, from the request to the receipt.

const extras_usd = {
  web_search: 10,
  cache_write_1h: 2,
  fast: 6,
  flex: 0.5,
  priority: 2,
  inference_geo: 1.1,
};
const upstream = startNativeUpstream();
const dataDirectory = mkdtempSync(join(tmpdir(), 'tollgate-native-dimensions-'));
/** The listed prices are 1 USD and 4 USD per million tokens, and the prices of batches are half of them. */
function configWith(priced: Json) {
  const config = nativeConfig(upstream.url, { input: 0.5, output: 2, cached_input: 0.05 });
  const listed = {
    pricing_usd_per_mtok: { input: 1, output: 4, cached_input: 0.1 },
    capabilities: { tools: true, reasoning: false, vision: false, documents: false },
  };
  const models = config.catalog.models.map((model) => ({ ...model, ...listed, ...priced }));
  const bare = { ...models[0], id: 'bare', extras_usd: {} };
  const loose = { ...bare, id: 'loose', allow_unpriced: ['inference_geo'] };
  return { ...config, catalog: { ...config.catalog, models: [...models, bare, loose] } };
}
const start = (priced: Json) => startServer({ config: configWith(priced), dataDirectory });
let server = await start({ extras_usd });
const { key, account } = await server.createKey('enterprise');
afterAll(async () => {
  await server.stop();
  upstream.stop();
  rmSync(dataDirectory, { recursive: true });
});
beforeEach(() => {
  upstream.forget();
  upstream.endAtOnce(true);
  upstream.report({});
});

const USD = 500_000_000;
/** Half of 1,000 tokens of input and 50 of output. */
const BATCH = (1_000 + 50 * 4) / 2e6;
const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 };
const hour = { type: 'ephemeral', ttl: '1h' };
const flavorOf = (model: string): Flavor => (model === 'gpt' ? chatFlavor : messagesFlavor);

async function create(model: string, fields: Json) {
  const client = batchClient(server, { flavor: flavorOf(model), key });
  const requests = nativeItems(client.flavor, [model], { prompts: ['hi'], fields });
  return (await client.create([], { fields: { processing_mode: 'native-required', requests } })).id;
}

async function resultOf(model: string, id: string): Promise<Json> {
  const client = batchClient(server, { flavor: flavorOf(model), key });
  await client.ended(id);
  return (await client.lines(id))['item-0'];
}

async function latestReceipt(): Promise<Json> {
  const [entry] = await ledgerEntries(server, account);
  const path = `/v1/usage/${entry.request_id}`;
  const { status, body } = await server.call(path, { headers: bearer(key) });
  expect({ status, microcredits: body.microcredits }).toEqual({
    status: 200,
    microcredits: entry.microcredits,
  });
  return body;
}

async function receiptOf(model: string, fields: Json): Promise<Json> {
  const result = await resultOf(model, await create(model, fields));
  expect({ type: result.type, error: result.error }).toEqual({ type: 'succeeded', error: undefined });
  return latestReceipt();
}

const sentBody = (): Json => upstream.bodies[0]!;
const compaction = { type: 'compaction', input_tokens: 7_000, output_tokens: 700 };
const own = { type: 'message', input_tokens: 1_000, output_tokens: 50 };
const hourly = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 400 };

type Case = [model: string, fields: Json, usage: Json, answer: Json, usd: number, row: string];
test.each<Case>([
  ['claude', { speed: 'fast' }, { speed: 'fast' }, {}, BATCH * 6, 'fast'],
  ['claude', { inference_geo: 'us' }, { inference_geo: 'us' }, {}, BATCH * 1.1, 'inference_geo'],
  [
    'claude',
    { tools: [search] },
    { server_tool_use: { web_search_requests: 3 } },
    {},
    BATCH + 0.03,
    'web_search',
  ],
  [
    ...(['claude', { cache_control: hour }] as const),
    { cache_creation_input_tokens: 400, cache_creation: hourly },
    ...([{}, BATCH + (400 * 2) / 2e6, 'cache_write_1h'] as const),
  ],
  ['claude', {}, { iterations: [compaction, own] }, {}, BATCH + (7_000 + 700 * 4) / 2e6, 'compaction_input'],
  ['gpt', { service_tier: 'flex' }, {}, { service_tier: 'flex' }, BATCH / 2, 'flex'],
  ['gpt', { service_tier: 'priority' }, {}, { service_tier: 'default' }, BATCH, 'output'],
  ['gpt', { web_search_options: {} }, {}, {}, BATCH + 0.01, 'web_search'],
])('an item of %s with %j pays for it on top of the price of the batch [BAT-71]', async (...one) => {
  const [model, fields, usage, answer, usd, row] = one;
  upstream.report(usage, answer);
  const receipt = await receiptOf(model, fields);
  expect(sentBody()).toMatchObject(fields);
  expect(receipt.microcredits / USD).toBeCloseTo(usd, 9);
  const shown = [
    ...receipt.prices.map(({ kind }: Json) => kind),
    ...(receipt.factors ?? []).map(({ dimension }: Json) => dimension),
  ];
  expect(shown).toContain(row);
});

describe('a model without such prices', () => {
  test('gets an item without the preference, at the price of the batch [BAT-71]', async () => {
    const receipt = await receiptOf('bare', {
      speed: 'fast',
      tools: [search, { name: 'a', input_schema: {} }],
    });
    expect(receipt.microcredits / USD).toBeCloseTo(BATCH, 9);
    expect({ speed: sentBody().speed, names: sentBody().tools.map(({ name }: Json) => name) }).toEqual({
      speed: undefined,
      names: ['a'],
    });
  });

  test('serves and counts what the operator allows without a charge [BAT-71]', async () => {
    upstream.report({ inference_geo: 'us' });
    const receipt = await receiptOf('loose', { inference_geo: 'us' });
    expect({ inference_geo: sentBody().inference_geo, factors: receipt.factors }).toEqual({
      inference_geo: 'us',
      factors: undefined,
    });
    expect(receipt.microcredits / USD).toBeCloseTo(BATCH, 9);
    const counted = 'tollgate_unpriced_requests_total{model="loose",extra="inference_geo"} 1';
    await waitFor(async () => (await server.call('/metrics')).text.includes(counted));
  });

  test('makes an item with a requirement an error [BAT-71]', async () => {
    const { type, error } = await resultOf('bare', await create('bare', { inference_geo: 'us' }));
    expect({ type, code: error.error.code ?? error.error.message }).toEqual({
      type: 'errored',
      code: expect.stringContaining('route_not_qualified'),
    });
    expect(upstream.taken()).toBe(0);
  });
});

test('the prices of the moment of sending apply even after a restart with others [BAT-71]', async () => {
  upstream.endAtOnce(false);
  upstream.report({ speed: 'fast', server_tool_use: { web_search_requests: 2 } });
  const id = await create('claude', { speed: 'fast', tools: [search] });
  await waitFor(() => upstream.taken() === 1);
  await waitFor(() => areSubmissionsKept(dataDirectory));
  server.signal('SIGKILL');
  await server.exited;
  await server.stop();
  server = await start({ extras_usd: { web_search: 99 } });
  upstream.endAll();
  expect((await resultOf('claude', id)).type).toBe('succeeded');
  expect((await latestReceipt()).microcredits / USD).toBeCloseTo(BATCH * 6 + 0.02, 9);
});
