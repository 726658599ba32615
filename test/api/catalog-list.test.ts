import { afterAll, describe, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { sampleConfig, sampleModels } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

const server = await startServer({ config: sampleConfig('http://127.0.0.1:9/v1') });
afterAll(server.stop);

const { key } = await server.createKey('starter');
const PAYG = { 'x-svc-payment-mode': 'payg' };
const list = (headers: Record<string, string> = {}) => server.call('/v1/models', { headers });
const entries: Json[] = (await list()).body.data;
const rows = new Map(sampleModels.map((row: Json) => [row.id, row]));
const entryOf = (id: string): Json => entries.find((entry) => entry.id === id);

describe('the list of models', () => {
  test('is public and has one entry for each model [MOD-01] [MOD-02]', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['object', 'data']);
    expect(body.object).toBe('list');
    expect(Array.isArray(body.data)).toBe(true);
  });

  test('refuses a limit that is none, in both forms, and ignores parameters of other vendors', async () => {
    const statusOf = async (query: string, headers = {}) =>
      (await server.call(`/v1/models?${query}`, { headers })).status;
    for (const headers of [{}, { 'anthropic-version': '2023-06-01' }]) {
      for (const limit of ['0', '-1', 'x', '1001'])
        expect(await statusOf(`limit=${limit}`, headers)).toBe(400);
      expect(await statusOf('limit=1000&beta=true', headers)).toBe(200);
    }
  });

  test('names every configured model, by a plain name or with the prefix of open weights [MOD-03]', () => {
    expect(entries.map(({ id }) => id)).toEqual([...rows.keys()]);
    for (const { id } of entries) expect(id).toMatch(/^(@svc\/)?[A-Za-z0-9][A-Za-z0-9._-]*$/);
  });

  test('can be cached for five minutes, separately for each caller [MOD-31] [MOD-52]', async () => {
    const { headers } = await list();
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('vary')).toBe('authorization, x-api-key, anthropic-version, x-svc-payment-mode');
  });

  test('omits previews and handles [MOD-49] [MOD-58]', async () => {
    const anthropic = await list({ 'anthropic-version': '2023-06-01' });
    for (const { text } of [await list(), anthropic]) expect(text).not.toMatch(/next-big-model|gpt-stock/);
  });
});

describe('an etag', () => {
  test('avoids sending an unchanged list again [MOD-53]', async () => {
    const { headers } = await list();
    const etag = headers.get('etag')!;
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await list({ 'if-none-match': known });
      expect({ known, status: again.status, text: again.text, etag: again.headers.get('etag') }).toEqual({
        known,
        status: 304,
        text: '',
        etag,
      });
      expect(again.headers.get('cache-control')).toBe('public, max-age=300');
    }
    expect((await list({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('differs between callers with different included models [MOD-53]', async () => {
    const anonymous = (await list()).headers.get('etag')!;
    const known = await list({ ...bearer(key), 'if-none-match': anonymous });
    expect(known.status).toBe(200);
    expect(known.headers.get('etag')).not.toBe(anonymous);
  });
});

describe('a model entry', () => {
  test('is a model with a time and an owner [MOD-04]', () => {
    for (const { object, created, owned_by } of entries) {
      expect(object).toBe('model');
      expect(Number.isInteger(created)).toBe(true);
      expect(typeof owned_by).toBe('string');
    }
    expect(entryOf('@svc/test-small')).toMatchObject({ created: 1_750_000_000, owned_by: 'test-labs' });
  });

  test('has the configured delivery, tier and context window [MOD-05] [MOD-08] [MOD-09]', () => {
    for (const { id, delivery, tier, context_window } of entries) {
      const row = rows.get(id);
      expect({ id, delivery, tier, context_window }).toEqual({
        id,
        delivery: row.delivery ?? 'optimized',
        tier: row.tier ?? 'workhorse',
        context_window: row.context_window,
      });
    }
  });

  test('has an output limit or null [MOD-10]', () => {
    expect(entryOf('@svc/test-small').max_output).toBe(8_192);
    expect(entryOf('test-plain').max_output).toBeNull();
  });

  test('lists its older spellings: the prefixed name, and the bare name of an open-weight model [MOD-07]', () => {
    expect(entryOf('@svc/test-small').aliases).toEqual(['svc-test-small', 'test-small', 'test-small-old']);
    expect(entryOf('test-plain').aliases).toEqual(['svc-test-plain']);
  });

  test("reports the model's abilities in four booleans [MOD-11]", () => {
    for (const { id, capabilities } of entries) {
      const none = { tools: false, reasoning: false, vision: false, documents: false };
      expect({ id, capabilities }).toEqual({ id, capabilities: rows.get(id).capabilities ?? none });
    }
  });

  test('has the configured rates, with null for a missing cached rate [MOD-12] [MOD-13]', () => {
    for (const { id, pricing_usd_per_mtok } of entries) {
      const pricing = { cached_input: null, ...rows.get(id).pricing_usd_per_mtok };
      expect({ id, pricing_usd_per_mtok }).toEqual({ id, pricing_usd_per_mtok: pricing });
    }
    expect(entryOf('@svc/test-small').pricing_usd_per_mtok.cached_input).toBe(0.1);
    expect(entryOf('test-plain').pricing_usd_per_mtok.cached_input).toBeNull();
  });

  test('names the parameters that the model accepts [MOD-14]', () => {
    const known =
      'messages system max_tokens stream temperature top_p frequency_penalty presence_penalty seed stop ' +
      'parallel_tool_calls tools tool_choice forced_tool_choice reasoning response_format';
    for (const { supported_parameters } of entries) {
      expect(known.split(' ')).toEqual(expect.arrayContaining(supported_parameters));
    }
    expect(entryOf('test-vision').supported_parameters).toEqual(['messages', 'max_tokens', 'reasoning']);
    expect(entryOf('@svc/test-small').supported_parameters).toContain('tools');
    expect(entryOf('test-plain').supported_parameters).not.toContain('tools');
  });

  test('names the dialects that need no translation, and no wire that would reveal the provider [MOD-15]', () => {
    const wires = Object.fromEntries(entries.map(({ id, native_wires }) => [id, native_wires]));
    expect(wires).toMatchObject({
      'test-plain': ['openai-chat'],
      'test-messages': ['anthropic-messages'],
      'test-responses': ['openai-responses'],
      'test-vectors': ['openai-embeddings'],
      'test-google': [],
      'test-bedrock': [],
      'test-unrouted': [],
    });
  });

  test('has dimensions only if it is an embedding model [MOD-16]', () => {
    for (const entry of entries) {
      expect({ id: entry.id, output_dimensions: entry.output_dimensions }).toEqual({
        id: entry.id,
        output_dimensions: rows.get(entry.id).output_dimensions,
      });
      expect('output_dimensions' in entry).toBe(entry.id === 'test-vectors');
    }
  });

  test('has a display name and a description if they are configured [MOD-22]', () => {
    const shown = { display_name: 'Test Small', description: 'A small one.' };
    expect(entryOf('@svc/test-small')).toMatchObject(shown);
  });
});

describe('in pay-as-you-go mode the list', () => {
  test('needs a valid key [MOD-38]', async () => {
    expectRefusal(await list(PAYG), 401, 'missing_api_key');
    expectRefusal(await list({ ...PAYG, ...bearer('svc_nonsense') }), 401, 'invalid_api_key');
  });

  test('takes a key in either header without being cached [MOD-39]', async () => {
    for (const credential of [bearer(key), { 'x-api-key': key }]) {
      const { status, headers } = await list({ ...PAYG, ...credential });
      expect({ status, cacheControl: headers.get('cache-control') }).toEqual({
        status: 200,
        cacheControl: 'private, no-store',
      });
      expect(headers.get('vary')).toBe('authorization, x-api-key, anthropic-version, x-svc-payment-mode');
    }
  });

  test('has only models with exact delivery, in both shapes [MOD-40]', async () => {
    const exact = ['test-plain', 'test-vision', 'test-payg'];
    for (const shape of [{}, { 'anthropic-version': '2023-06-01' }] as Record<string, string>[]) {
      const { body } = await list({ ...PAYG, ...bearer(key), ...shape });
      expect(body.data.map(({ id }: Json) => id)).toEqual(exact);
    }
  });

  test('shows the rates of that mode, or else the listed rates [MOD-41]', async () => {
    const { body } = await list({ ...PAYG, ...bearer(key) });
    const rates = Object.fromEntries(body.data.map(({ id, pricing_usd_per_mtok: rate }: Json) => [id, rate]));
    expect(rates['test-plain']).toEqual({ input: 2, output: 8, cached_input: 0.5 });
    expect(rates['test-vision']).toEqual({ input: 1, output: 4, cached_input: null });
  });

  test('is also returned without the header for a key with that mode and for a pay-as-you-go account', async () => {
    const setting = await server.createKey('starter', { payg: true });
    const plan = await server.createKey('payg');
    const wanted = await list({ ...PAYG, ...bearer(setting.key) });
    for (const { key: each } of [setting, plan]) {
      const { headers, body } = await list(bearer(each));
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(body.data.map(({ id }: Json) => id)).toEqual(wanted.body.data.map(({ id }: Json) => id));
    }
  });

  test('is not returned for another value of the header', async () => {
    const answer = await list({ 'x-svc-payment-mode': 'cash', ...bearer(key) });
    expectRefusal(answer, 400, 'invalid_request', 'x-svc-payment-mode');
  });
});
