import { expect, test } from 'bun:test';
import type { Exchange } from '../../edge/http/exchange.ts';
import { requireSameOrigin } from './require-same-origin.ts';

const refuses = (headers: Record<string, string>, method = 'POST') =>
  requireSameOrigin({
    method,
    request: new Request('http://inner/', { headers: { host: 'gateway.example', ...headers } }),
  } as unknown as Exchange) !== undefined;

test('a change needs the origin of the server, and a read needs none', () => {
  expect(refuses({}, 'GET')).toBe(false);
  expect(refuses({})).toBe(true);
  expect(refuses({ origin: 'null' })).toBe(true);
  expect(refuses({ origin: 'https://gateway.example' })).toBe(false);
  expect(refuses({ origin: 'https://other.example' })).toBe(true);
  expect(refuses({ origin: 'https://gateway.example', 'sec-fetch-site': 'cross-site' })).toBe(true);
  expect(refuses({ origin: 'https://gateway.example', 'sec-fetch-site': 'same-origin' })).toBe(false);
});
