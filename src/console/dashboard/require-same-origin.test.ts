import { expect, test } from 'bun:test';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import { requireSameOrigin } from './require-same-origin.ts';

const refuses = (
  headers: Record<string, string>,
  { method = 'POST', publicUrl = null as string | null } = {},
) =>
  requireSameOrigin(
    sampleExchange({
      peer: () => '10.0.0.9',
      request: new Request('http://inner/', { method, headers: { host: 'gateway.example', ...headers } }),
      snapshot: sampleSnapshot(`server: { public_url: ${publicUrl}, trusted_proxies: [10.0.0.0/8] }`),
    }),
  ) !== undefined;

test('only a change needs the origin of the server', () => {
  expect(refuses({}, { method: 'GET' })).toBe(false);
  expect(refuses({})).toBe(true);
  expect(refuses({ origin: 'null' })).toBe(true);
  expect(refuses({ origin: 'https://gateway.example' })).toBe(false);
  expect(refuses({ origin: 'https://other.example' })).toBe(true);
  expect(refuses({ origin: 'https://gateway.example', 'sec-fetch-site': 'cross-site' })).toBe(true);
  expect(refuses({ origin: 'https://gateway.example', 'sec-fetch-site': 'same-origin' })).toBe(false);
});

test('behind a proxy that changes the host, the public address is the origin', () => {
  const origin = 'https://dash.example';
  expect(refuses({ origin, host: 'inner:8080' })).toBe(true);
  expect(refuses({ origin, host: 'inner:8080' }, { publicUrl: 'https://dash.example/' })).toBe(false);
  expect(refuses({ origin: 'http://dash.example', host: 'inner:8080' }, { publicUrl: origin })).toBe(true);
});
