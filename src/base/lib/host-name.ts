import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Networks that are not on the public internet: https://www.iana.org/assignments/iana-ipv4-special-registry. */
const INSIDE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  INSIDE.addSubnet(network, prefix);
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  INSIDE.addSubnet(network, prefix, 'ipv6');

const LOCAL_SUFFIX = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/;

/**
 * Strips the brackets and the trailing dot of a host name in a URL. The URL parser has already lowercased the name and converted numeric
 * notations.
 */
const plain = (hostname: string): string => hostname.replace(/^\[|\]$|\.$/g, '');

/** Reports whether the host is an address and not a name. */
export const isNumericHost = (hostname: string): boolean =>
  isIPv4(plain(hostname)) || isIPv6(plain(hostname));

/** Reports whether the name is valid only within a network: it has a reserved suffix or no dot. */
export function isInsideName(hostname: string): boolean {
  const name = plain(hostname);
  return !isNumericHost(name) && (LOCAL_SUFFIX.test(name) || !name.includes('.'));
}

/** Reports whether the host is this machine or is in a private network. */
export function isInsideHost(hostname: string): boolean {
  const name = plain(hostname);
  if (isIPv4(name)) return INSIDE.check(name);
  return isIPv6(name) ? INSIDE.check(name, 'ipv6') || isMappedInside(name) : isInsideName(name);
}

/** Checks an IPv4 address inside an IPv6 address, which a URL writes in hexadecimal. */
function isMappedInside(name: string): boolean {
  const halves = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(name);
  if (!halves) return false;
  const [high, low] = halves.slice(1).map((half) => Number.parseInt(half, 16)) as [number, number];
  return INSIDE.check([high >> 8, high & 255, low >> 8, low & 255].join('.'));
}
