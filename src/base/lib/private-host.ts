import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { embeddedIpv4 } from './embedded-ipv4.ts';
import { isNumericHost, plainHost } from './plain-host.ts';

// Two lists, since `BlockList` applies IPv6 networks to mapped IPv4 addresses too.
/** IPv4 outside the public internet: https://www.iana.org/assignments/iana-ipv4-special-registry. */
const PRIVATE_IPV4 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  PRIVATE_IPV4.addSubnet(network, prefix);

/**
 * IPv6 outside the public internet, which has 2000::/3 only. A Teredo address (2001::/32) leads to a place
 * that a server chooses.
 */
const PRIVATE_IPV6 = new BlockList();
for (const [network, prefix] of [
  ['::', 3],
  ['2001::', 32],
  ['4000::', 2],
  ['8000::', 1],
] as const)
  PRIVATE_IPV6.addSubnet(network, prefix, 'ipv6');

const LOCAL_SUFFIX = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/;

/** Reports whether the name is valid only within a network: it has a reserved suffix or no dot. */
export function isPrivateName(hostname: string): boolean {
  const name = plainHost(hostname);
  return !isNumericHost(name) && (LOCAL_SUFFIX.test(name) || !name.includes('.'));
}

/** Reports whether the host is this machine or is in a private network. */
export function isPrivateHost(hostname: string): boolean {
  const name = plainHost(hostname);
  if (isIPv4(name)) return PRIVATE_IPV4.check(name);
  if (!isIPv6(name)) return isPrivateName(name);
  const embedded = embeddedIpv4(name);
  return embedded === undefined ? PRIVATE_IPV6.check(name, 'ipv6') : PRIVATE_IPV4.check(embedded);
}
