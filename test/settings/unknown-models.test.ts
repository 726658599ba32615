import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '../../src/program/cli/testing/run-captured.ts';
import { bearer, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { ledgerEntries } from '../support/ledger-entries.ts';
import { answerStatus, startRecordingUpstream } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';

const upstream = startRecordingUpstream();
const row = { context_window: 1_000, pricing_usd_per_mtok: { input: 1, output: 1 } };
const pricing = { input: 2, output: 10 };
const catalog = {
  default: false,
  models: [
    { id: 'listed', ...row, routes: [{ provider: 'acme', model: 'x' }] },
    { id: 'adviser', ...row, capabilities: { tools: true }, routes: [{ provider: 'messages', model: 'y' }] },
  ],
  unknown_models: 'pass',
  default_pricing_usd_per_mtok: pricing,
};
const provider = (id: string, wire: string) => ({ id, wire, base_url: upstream.url, api_key: 'k' });
const providers = [
  provider('acme', 'openai-chat'),
  provider('messages', 'anthropic-messages'),
  provider('vectors', 'openai-embeddings'),
];
const server = await startServer({ config: { simulator: { mode: 'off' }, providers, catalog } });
const { key, account } = await server.createKey('pro');
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
beforeEach(upstream.forget);

describe('with unknown_models: pass', () => {
  test('provider/model goes to that provider, at the default prices', async () => {
    const { status, body, headers } = await server.chat(key, 'acme/lab/new-model:1', { max_tokens: 5 });
    expect({ status, model: body.model, models: upstream.models() }).toEqual({
      status: 200,
      model: 'acme/lab/new-model:1',
      models: ['lab/new-model:1'],
    });
    const id = headers.get('x-svc-request-id')!;
    const entry = (await ledgerEntries(server, account)).find(({ request_id }) => request_id === id);
    expect(entry).toMatchObject({
      model: 'acme/lab/new-model:1',
      receipt: { rates_usd_per_mtok: { input: 2, output: 10, cached_input: 2 } },
    });
    expect(entry.microcredits).toBe(22_000);
  });

  test('a model that the provider does not have is unknown without a fault of the provider', async () => {
    upstream.answer('none', answerStatus(404));
    for (let at = 0; at < 3; at++)
      expectRefusal(await server.chat(key, 'acme/none'), 404, 'unknown_model', 'model');
    expect((await server.chat(key, 'acme/other')).status).toBe(200);
  });

  test('a model of the catalog is served by its own row', async () => {
    expect((await server.chat(key, 'listed')).status).toBe(200);
    expect(upstream.models()).toEqual(['x']);
  });

  test('a model that a tool consults and that has no row is billed at the default prices [CRD-52]', async () => {
    const reported = { input_tokens: 10, output_tokens: 5 };
    const iterations = [
      { type: 'advisor_message', model: 'later-latest', input_tokens: 1_000, output_tokens: 100 },
    ];
    upstream.answer('y', () =>
      Response.json({
        id: 'x',
        type: 'message',
        role: 'assistant',
        model: 'y',
        stop_reason: 'end_turn',
        stop_sequence: null,
        content: [{ type: 'text', text: 'hi' }],
        usage: { ...reported, iterations },
      }),
    );
    const { status, headers } = await server.call('/v1/messages', {
      headers: { ...bearer(key), 'anthropic-version': '2023-06-01' },
      body: {
        model: 'adviser',
        max_tokens: 50,
        messages: [{ role: 'user', content: 'hi' }],
        tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'later-latest' }],
      },
    });
    expect(status).toBe(200);
    const receipt = await server.call(`/v1/usage/${headers.get('x-svc-request-id')}`, {
      headers: bearer(key),
    });
    expect(receipt.body.prices).toContainEqual(
      expect.objectContaining({
        kind: 'advisor_output',
        tokens: 100,
        usd_per_mtok: 10,
        model: 'later-latest',
      }),
    );
  });

  test('a translated request, and one with every feature, reach the provider', async () => {
    const { status, body } = await server.call('/v1/messages', {
      headers: { ...bearer(key), 'anthropic-version': '2023-06-01' },
      body: {
        model: 'acme/new-model',
        max_tokens: 64_000,
        output_config: { effort: 'high' },
        tools: [{ name: 'f', input_schema: { type: 'object' } }],
        messages: [{ role: 'user', content: 'hi' }],
      },
    });
    expect({ status, model: body.model }).toEqual({ status: 200, model: 'acme/new-model' });
    expect(upstream.requests[0]?.body).toMatchObject({ model: 'new-model', max_tokens: 32_000 });
  });

  test('names without a known provider, a usable wire or a plain path stay unknown', async () => {
    const names = ['acme', 'acme/', 'other/new-model', 'vectors/new-model', 'acme/../x', 'acme/a b', '/x'];
    for (const name of names) expectRefusal(await server.chat(key, name), 404, 'unknown_model', 'model');
    const answer = await server.call('/v1/embeddings', {
      headers: bearer(key),
      body: { model: 'acme/new-model', input: 'hi' },
    });
    expectRefusal(answer, 404, 'unknown_model', 'model');
    expect(upstream.requests).toEqual([]);
  });

  test('embeddings go to a provider of embeddings', async () => {
    upstream.answer('e', () =>
      Response.json({
        object: 'list',
        model: 'e',
        usage: { prompt_tokens: 1, total_tokens: 1 },
        data: [{ object: 'embedding', index: 0, embedding: [0.5, 1] }],
      }),
    );
    const { status, body } = await server.call('/v1/embeddings', {
      headers: bearer(key),
      body: { model: 'vectors/e', input: 'hi' },
    });
    expect({ status, embedding: body.data?.[0].embedding }).toEqual({ status: 200, embedding: [0.5, 1] });
  });

  test('no list shows them, and metrics count them under one label', async () => {
    await server.chat(key, 'acme/secret-name');
    const { body } = await server.call('/v1/models', { headers: bearer(key) });
    expect(body.data.map(({ id }: Json) => id)).toEqual(['listed', 'adviser']);
    const metrics = (await server.call('/metrics')).text;
    expect(metrics).toContain('model="unknown"');
    expect(metrics.match(/^tollgate_(requests|tokens|spend).*secret-name.*$/gm)).toBeNull();
  });

  test("a key's list of models may name them", async () => {
    const only = await server.createKey('pro', { allowed_models: ['acme/mine'] });
    expect((await server.chat(only.key, 'acme/mine')).status).toBe(200);
    expectRefusal(await server.chat(only.key, 'acme/other'), 403, 'permission_denied');
  });

  test('the plan decides as for a model of Starter', async () => {
    const free = await server.createKey('free');
    expectRefusal(await server.chat(free.key, 'acme/new-model'), 400, 'plan_upgrade_required');
  });
});

describe('the configuration', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-unknown-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const check = (text: string) => {
    const file = join(directory, 'tollgate.yaml');
    writeFileSync(file, text);
    return runCaptured(['config', 'check', file]);
  };

  test('is refused if unknown models pass without prices', async () => {
    const { code, remarked } = await check('catalog:\n  unknown_models: pass\n');
    expect({ code, remarked }).toEqual({
      code: 1,
      remarked: expect.stringContaining('catalog.default_pricing_usd_per_mtok'),
    });
  });

  test('may have prices while unknown models are refused', async () => {
    const prices = '{ input: 1, output: 2, cached_input: 0.1 }';
    expect(await check(`catalog:\n  default_pricing_usd_per_mtok: ${prices}\n`)).toMatchObject({ code: 0 });
  });
});
