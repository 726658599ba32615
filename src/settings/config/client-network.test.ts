import { expect, test } from 'bun:test';
import { clientAddress, networkOf, networksOf, trustedProxies } from './client-network.ts';

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

test('a network is one IPv4 address or an IPv6 /64 [LIM-23]', () => {
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9');
  const same = ['2001:db8::1', '2001:0DB8:0:0::2', '2001:db8:0:0:ffff:1:2:3', '2001:db8::192.0.2.1'];
  expect(new Set(same.map(networkOf)).size).toBe(1);
  expect(networkOf('2001:db8:0:1::1')).not.toBe(networkOf('2001:db8::1'));
  expect(networkOf('::1')).toBe('0:0:0:0::/64');
});

test.each([
  ['2001:db8:1:1ff::7', ['2001:db8:1:1ff::/64', '2001:db8:1:100::/56', '2001:db8:1:0::/48']],
  ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0:0::/48']],
  ['203.0.113.9', ['203.0.113.9', '203.0.113.0/24']],
])('the address %s belongs to the networks %p [AUT-33]', (address, networks) => {
  expect(networksOf(address)).toEqual(networks);
  expect(networksOf(address)[0]).toBe(networkOf(address));
});
