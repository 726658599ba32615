import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Networks that are not on the public internet: https://www.iana.org/assignments/iana-ipv4-special-registry.
 */
const INSIDE = new BlockList();
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
  INSIDE.addSubnet(network, prefix);

// Lists of IPv4 and IPv6 are apart, since a list of IPv6 also covers IPv4 as mapped addresses.
// Of IPv6 only 2000::/3 is on the public internet, apart from embedded addresses. In 2001::/32 (Teredo) a
// server decides where one leads.
const INSIDE_IPV6 = new BlockList();
for (const [network, prefix] of [
  ['::', 3],
  ['2001::', 32],
  ['4000::', 2],
  ['8000::', 1],
] as const)
  INSIDE_IPV6.addSubnet(network, prefix, 'ipv6');

const LOCAL_SUFFIX = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/;

/**
 * Strips the brackets and the trailing dot of a host name in a URL. The URL parser has already lowercased the
 * name and converted numeric notations.
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
  if (!isIPv6(name)) return isInsideName(name);
  const embedded = embeddedIn(name);
  return embedded === undefined ? INSIDE_IPV6.check(name, 'ipv6') : INSIDE.check(embedded);
}

/**
 * The index of the first group of an IPv4 address in IPv6 addresses: mapped (RFC 4291), NAT64
 * (RFC 6052) and 6to4 (RFC 3056).
 */
const EMBEDDED = [
  { prefix: '0:0:0:0:0:ffff:', at: 6 },
  { prefix: '64:ff9b:0:0:0:0:', at: 6 },
  { prefix: '2002:', at: 1 },
];

/** Returns the IPv4 address that an IPv6 address leads to. Returns undefined if it has none. */
function embeddedIn(name: string): string | undefined {
  const groups = groupsOf(name);
  const whole = groups.join(':');
  const embedded = EMBEDDED.find(({ prefix }) => whole.startsWith(prefix));
  if (!embedded) return undefined;
  const [high, low] = groups.slice(embedded.at, embedded.at + 2).map((group) => Number.parseInt(group, 16));
  return [high! >> 8, high! & 255, low! >> 8, low! & 255].join('.');
}

/**
 * Splits an address into its eight groups. A URL writes all of them in hexadecimal, without leading zeros.
 */
function groupsOf(name: string): string[] {
  const { hostname } = new URL(`http://[${name.replace(/%.*$/, '')}]/`);
  const [before = '', after] = hostname.slice(1, -1).split('::');
  const [left, right] = [before, after ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  return [...left!, ...Array<string>(8 - left!.length - right!.length).fill('0'), ...right!];
}

/** The services of clouds that give an identity to whoever asks on their machines. */
// biome-ignore format: a line for each group
const METADATA_HOSTS = new Set([
  '169.254.169.254', 'fd00:ec2::254', 'fd20:ce::254', 'metadata.google.internal', '100.100.100.200',
  '169.254.170.2', '169.254.170.23', 'fd00:ec2::23',
]);

/**
 * Reports whether a host is a metadata server of a cloud, or a service that gives credentials to containers.
 */
export function isMetadataHost(hostname: string): boolean {
  const name = plain(hostname);
  return METADATA_HOSTS.has((isIPv6(name) && embeddedIn(name)) || name);
}

/** Reports whether a host is this machine. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(hostname);
