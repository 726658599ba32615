import { expect, test } from 'bun:test';
import { networkOf, networksOf } from './network-of-address.ts';

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
