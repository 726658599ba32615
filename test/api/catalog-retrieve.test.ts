import { afterAll, describe, expect, test } from 'bun:test';
import { request } from 'node:http';
import { bearer, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

const upstream = startRecordingUpstream();
const server = await startServer({ config: sampleConfig(upstream.url) });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const PAYG = { 'x-svc-payment-mode': 'payg' };
const { key } = await server.createKey('starter');
const get = (id: string, headers: Record<string, string> = {}) =>
  server.call(`/v1/models/${id}`, { headers });
const list: Json[] = (await server.call('/v1/models')).body.data;

/** Sends the path unchanged, because not every client encodes `@` and `/`. */
const getRaw = (path: string): Promise<Json> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const sent = request({ hostname, port, path }, async (answer) => {
      resolve(JSON.parse(Buffer.concat(await answer.toArray()).toString()));
    });
    sent.on('error', reject).end();
  });

describe('one model', () => {
  test('equals its entry in the public list [MOD-43]', async () => {
    for (const entry of list) {
      const { status, body } = await get(entry.id);
      expect({ status, body }).toEqual({ status: 200, body: entry });
    }
  });

  test('can be retrieved by its older spellings [MOD-44]', async () => {
    for (const spelling of ['svc-test-small', 'test-small', 'test-small-old'])
      expect((await get(spelling)).body).toEqual(list[0]);
    expect((await get('svc-test-plain')).body.id).toBe('test-plain');
  });

  test('can be retrieved with an unencoded @ and / in its id [MOD-45]', async () => {
    expect((await getRaw('/v1/models/@svc/test-small')).id).toBe('@svc/test-small');
  });

  test('can be retrieved with an encoded @ and / in its id, in either case [MOD-46]', async () => {
    for (const id of ['%40svc%2Ftest-small', '%40svc%2ftest-small', '%40svc/test-small', '@svc%2Ftest-small'])
      expect((await getRaw(`/v1/models/${id}`)).id).toBe('@svc/test-small');
  });

  test('has the cache and vary headers of the list with an etag [MOD-57]', async () => {
    const { headers } = await get('test-plain');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('vary')).toBe('authorization, x-api-key, anthropic-version, x-svc-payment-mode');
    const again = await get('test-plain', { 'if-none-match': headers.get('etag')! });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
  });
});

describe('one model in pay-as-you-go mode', () => {
  test('needs a key [MOD-42]', async () => {
    expectRefusal(await get('test-plain', PAYG), 401, 'missing_api_key');
    expectRefusal(await get('test-plain', { ...PAYG, 'x-api-key': 'no' }), 401, 'invalid_api_key');
  });

  test('shows the rates of that mode and cannot be cached [MOD-57]', async () => {
    const { headers, body } = await get('test-plain', { ...PAYG, ...bearer(key) });
    expect(body.pricing_usd_per_mtok).toEqual({ input: 2, output: 8, cached_input: 0.5 });
    expect(headers.get('cache-control')).toBe('private, no-store');
  });
});

test('a model that pay-as-you-go mode does not list can be retrieved in it, since it can be called', async () => {
  const { delivery } = list.find(({ id }) => id === '@svc/test-small');
  const { status, body } = await get('@svc/test-small', { ...PAYG, ...bearer(key) });
  expect([delivery, status, body.id]).toEqual(['optimized', 200, '@svc/test-small']);
});

describe('a name outside the list', () => {
  const notFound = async (id: string) => {
    const { status, body, headers } = await get(id);
    expect({ id, status, body }).toEqual({
      id,
      status: 404,
      body: { error: { type: 'not_found', message: expect.stringMatching(/\S/) } },
    });
    expect(headers.get('x-svc-error-code')).toBe('not_found');
    expect(headers.get('x-should-retry')).toBe('false');
  };

  test('is not found [MOD-47]', async () => {
    for (const id of [
      'nothing',
      '@svc/nothing',
      '@other/test-small',
      'test-smal',
      'TEST-SMALL',
      '%F0%9F%98%80',
    ])
      await notFound(id);
  });

  test('is not found if it is a handle, although chat accepts it [MOD-48]', async () => {
    await notFound('gpt-stock');
    expect((await server.chat(key, 'gpt-stock')).status).toBe(200);
  });

  test('is not found if it is a preview, although chat accepts it [MOD-50]', async () => {
    await notFound('next-big-model');
    expect((await server.chat(key, 'next-big-model')).status).toBe(200);
  });
});
