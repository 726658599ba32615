import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Networks that are nobody's on the internet: https://www.iana.org/assignments/iana-ipv4-special-registry. */
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

/** As a parsed URL spells it: lower case, and numbers of any notation as an address. */
const plain = (hostname: string): string => hostname.replace(/^\[|\]$|\.$/g, '');

/** An address in place of a name. */
export const isNumericHost = (hostname: string): boolean =>
  isIPv4(plain(hostname)) || isIPv6(plain(hostname));

/** A name that only means something within one network: reserved for that, or without a dot. */
export function isInsideName(hostname: string): boolean {
  const name = plain(hostname);
  return !isNumericHost(name) && (LOCAL_SUFFIX.test(name) || !name.includes('.'));
}

/** This machine, or a network that is not the internet. */
export function isInsideHost(hostname: string): boolean {
  const name = plain(hostname);
  if (isIPv4(name)) return INSIDE.check(name);
  return isIPv6(name) ? INSIDE.check(name, 'ipv6') || isMappedInside(name) : isInsideName(name);
}

/** A URL spells an IPv4 address within IPv6 in hexadecimal. */
function isMappedInside(name: string): boolean {
  const halves = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(name);
  if (!halves) return false;
  const [high, low] = halves.slice(1).map((half) => Number.parseInt(half, 16)) as [number, number];
  return INSIDE.check([high >> 8, high & 255, low >> 8, low & 255].join('.'));
}
