import { afterAll, describe, expect, test } from 'bun:test';
import { partial } from '../../base/lib/testing/partial.ts';
import type { TokenStore } from '../../customers/operators/token-store.ts';
import { startAdminServer, TOKEN } from './testing/test-admin-server.ts';

const { clock, close, callWith, routes } = await startAdminServer();
// Answers to repeated wrong tokens are slowed. The test's clock moves instead of waiting.
const call = callWith({}, { wait: async (ms) => clock.advance(ms) });
afterAll(close);

describe('the admin token', () => {
  const strangers: [string, Record<string, string>, string][] = [
    ['no token', {}, 'missing_api_key'],
    ['an empty header', { authorization: '' }, 'missing_api_key'],
    ['a token in another header', { 'x-api-key': TOKEN }, 'missing_api_key'],
    ['a wrong token', { authorization: 'Bearer wrong' }, 'invalid_api_key'],
    ['a longer token', { authorization: `Bearer ${TOKEN}x` }, 'invalid_api_key'],
    ['another scheme', { authorization: `Basic ${TOKEN}` }, 'invalid_api_key'],
    ['an API key', { authorization: `Bearer svc_${'a'.repeat(49)}` }, 'invalid_api_key'],
  ];
  for (const [what, headers, code] of strangers) {
    test(`refuses ${what} on every route [ADM-24] [ADM-25]`, async () => {
      for (const { method, path } of routes) {
        const target = `${method} ${path.replace('/admin/v1', '').replace(/\{\w+\*?\}/, 'x')}`;
        const { status, body } = await call(target, undefined, headers);
        expect({ status, code: body.error.code, type: body.error.type }).toEqual({
          status: 401,
          code,
          type: 'authentication_error',
        });
      }
    });
  }

  test('works without the store', async () => {
    const findTokenByHash = () => Promise.reject(new Error('the store is away'));
    const callWithoutStore = callWith({}, { store: partial<TokenStore>({ findTokenByHash }) });
    expect((await callWithoutStore('GET /plans')).status).toBe(200);
  });

  test('rejects an empty hash of the admin token at construction', () => {
    expect(() => callWith({}, { firstTokenHash: '' })).toThrow();
  });
});
