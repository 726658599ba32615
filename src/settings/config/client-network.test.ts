import { expect, test } from 'bun:test';
import { clientAddress, trustedProxies } from './client-network.ts';

const proxies = trustedProxies(['10.0.0.0/8', '192.0.2.7', '2001:db8:ffff::/48']);

const cases: [peer: string, forwardedFor: string | null, address: string][] = [
  ['198.51.100.1', null, '198.51.100.1'],
  ['198.51.100.1', '203.0.113.9', '198.51.100.1'],
  ['10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['10.1.2.3', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
  ['10.1.2.3', '1.1.1.1, 203.0.113.9, 192.0.2.7', '203.0.113.9'],
  ['10.1.2.3', '203.0.113.9:4711', '203.0.113.9'],
  ['2001:db8:ffff::1', '[2001:db8:1::5]:443', '2001:db8:1::5'],
  ['10.1.2.3', '::ffff:cb00:7109', '203.0.113.9'],
  ['10.1.2.3', '0:0:0:0:0:FFFF:203.0.113.9', '203.0.113.9'],
  ['::ffff:a01:203', '203.0.113.9, 0:0::ffff:10.9.9.9', '203.0.113.9'],
  ['10.1.2.3', '::ffff:1:cb00:7109', '::ffff:1:cb00:7109'],
  ['10.1.2.3', 'unknown', '10.1.2.3'],
  ['10.1.2.3', '', '10.1.2.3'],
  ['10.1.2.3', '10.9.9.9', '10.9.9.9'],
];

for (const [peer, forwardedFor, address] of cases) {
  test(`a request from ${peer} with x-forwarded-for ${forwardedFor} comes from ${address} [LIM-24]`, () => {
    expect(clientAddress(peer, forwardedFor, proxies)).toBe(address);
  });
}

test('ignores x-forwarded-for if no proxy is trusted [LIM-24]', () => {
  expect(clientAddress('10.1.2.3', '203.0.113.9', trustedProxies([]))).toBe('10.1.2.3');
});
