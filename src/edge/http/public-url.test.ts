import { expect, test } from 'bun:test';
import { trustedProxies } from '../../settings/config/client-network.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { isByTls, publicUrl } from './public-url.ts';

const trusted = trustedProxies(['10.0.0.0/8']);

const asked = (headers: Record<string, string>, peer: string) => ({
  request: new Request('http://x/', { headers }),
  snapshot: { trustedProxies: trusted } as Partial<Snapshot> as Snapshot,
  peer: () => peer,
});

test('the connection of a client is encrypted if a trusted proxy says so', () => {
  expect(isByTls(asked({ 'x-forwarded-proto': 'http, HTTPS' }, '10.1.2.3'))).toBe(true);
  expect(isByTls(asked({ 'x-forwarded-proto': 'https, http' }, '10.1.2.3'))).toBe(false);
  expect(isByTls(asked({}, '10.1.2.3'))).toBe(false);
  expect(isByTls(asked({ 'x-forwarded-proto': 'https' }, '203.0.113.1'))).toBe(false);
});

function urlFor(
  headers: Record<string, string>,
  { peer = '10.1.2.3', configured = null as string | null } = {},
) {
  const config = { server: { public_url: configured } } as Config;
  return publicUrl({
    request: new Request('http://x/', { headers: { host: 'gateway.internal:8080', ...headers } }),
    snapshot: { config, trustedProxies: trusted } as Partial<Snapshot> as Snapshot,
    peer: () => peer,
  });
}

test.each<[string, Record<string, string>, string]>([
  ['without headers', {}, 'http://gateway.internal:8080'],
  ['with a scheme', { 'x-forwarded-proto': 'https' }, 'https://gateway.internal:8080'],
  ['with a scheme in capitals', { 'x-forwarded-proto': 'HTTPS' }, 'https://gateway.internal:8080'],
  ['with a host', { 'x-forwarded-host': 'models.example' }, 'http://models.example'],
  [
    'with both',
    { 'x-forwarded-proto': 'https', 'x-forwarded-host': '[2001:db8::1]:8443' },
    'https://[2001:db8::1]:8443',
  ],
  [
    'with several values, of which the nearest proxy wrote the last',
    { 'x-forwarded-proto': 'http, https', 'x-forwarded-host': 'evil.example, models.example' },
    'https://models.example',
  ],
  ['with an unknown scheme', { 'x-forwarded-proto': 'javascript' }, 'http://gateway.internal:8080'],
  ['with an invalid host', { 'x-forwarded-host': 'a"><script>' }, 'http://gateway.internal:8080'],
])('links of a request from a trusted proxy %s follow what the proxy reports [ADM-18]', (_, headers, url) => {
  expect(urlFor(headers)).toBe(url);
  expect(urlFor(headers, { peer: '::ffff:10.1.2.3' })).toBe(url);
});

test('forwarded headers of any other client are ignored [ADM-18]', () => {
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' };
  for (const peer of ['203.0.113.1', '::1', '']) {
    expect(urlFor(headers, { peer })).toBe('http://gateway.internal:8080');
  }
});

test('server.public_url takes precedence over forwarded headers [ADM-18]', () => {
  const configured = 'https://public.example/base/';
  expect(urlFor({ 'x-forwarded-host': 'other.example' }, { configured })).toBe('https://public.example/base');
});
