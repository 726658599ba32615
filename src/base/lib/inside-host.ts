import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { embeddedIpv4 } from './embedded-ipv4.ts';
import { isNumericHost, plainHost } from './plain-host.ts';

/**
 * Networks that are not on the public internet: https://www.iana.org/assignments/iana-ipv4-special-registry.
 */
const INSIDE_IPV4 = new BlockList();
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
  INSIDE_IPV4.addSubnet(network, prefix);

// Lists of IPv4 and IPv6 are apart, since a list of IPv6 also covers IPv4 as mapped addresses. Of IPv6 only
// 2000::/3 is on the public internet, apart from embedded addresses. In 2001::/32 (Teredo) a server decides
// where one leads.
const INSIDE_IPV6 = new BlockList();
for (const [network, prefix] of [
  ['::', 3],
  ['2001::', 32],
  ['4000::', 2],
  ['8000::', 1],
] as const)
  INSIDE_IPV6.addSubnet(network, prefix, 'ipv6');

const LOCAL_SUFFIX = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/;

/** Reports whether the name is valid only within a network: it has a reserved suffix or no dot. */
export function isInsideName(hostname: string): boolean {
  const name = plainHost(hostname);
  return !isNumericHost(name) && (LOCAL_SUFFIX.test(name) || !name.includes('.'));
}

/** Reports whether the host is this machine or is in a private network. */
export function isInsideHost(hostname: string): boolean {
  const name = plainHost(hostname);
  if (isIPv4(name)) return INSIDE_IPV4.check(name);
  if (!isIPv6(name)) return isInsideName(name);
  const embedded = embeddedIpv4(name);
  return embedded === undefined ? INSIDE_IPV6.check(name, 'ipv6') : INSIDE_IPV4.check(embedded);
}
