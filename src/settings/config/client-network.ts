import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * Builds the list of trusted proxies.
 * Their `x-forwarded-…` headers determine the client address and the public address.
 */
export function trustedProxies(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/**
 * Returns the client address of a request: the nearest address that is not a trusted proxy. Addresses before
 * it in the header come from the client and are not trusted.
 */
export function clientAddress(peer: string, forwardedFor: string | null, trusted: BlockList): string {
  let address = plain(peer);
  const hops = forwardedFor?.split(',') ?? [];
  while (hops.length > 0 && isTrusted(address, trusted)) {
    const earlier = withoutPort(hops.pop()!.trim());
    if (isIP(earlier) === 0) break;
    address = plain(earlier);
  }
  return address;
}

/** Reports whether a connection comes from a trusted proxy. */
export const isTrustedProxy = (peer: string, trusted: BlockList): boolean => isTrusted(plain(peer), trusted);

/**
 * Returns the network that a connection counts for.
 * Returns undefined for a trusted proxy, whose connections carry many clients.
 */
export function countedNetwork(peer: string, trusted: BlockList): string | undefined {
  const address = plain(peer);
  return isTrusted(address, trusted) ? undefined : networkOf(address);
}

const isTrusted = (address: string, trusted: BlockList): boolean =>
  isIP(address) !== 0 && trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');

/** Converts an IPv4-mapped address like `::ffff:10.0.0.1` to IPv4, and removes a zone. */
const plain = (address: string): string => {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped) return address.replace(/%.*$/, '');
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
};

const withoutPort = (text: string): string =>
  /^\[(.*)\](:\d+)?$/.exec(text)?.[1] ?? (/^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.split(':')[0]! : text);

/**
 * Returns the network of an address: the address itself for IPv4, the /64 block for IPv6.
 * One client usually owns a whole /64.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const network = groupsOf(address).slice(0, 4);
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}

/** Prefixes of IPv6 that one customer of an internet provider can hold. */
const SHARED_PREFIXES = [64, 56, 48] as const;

/**
 * Returns the networks that an address belongs to, the narrowest first: /64, /56 and /48 for IPv6, the
 * address and its /24 for IPv4. A limit per /64 alone would give the holder of a /48 65,536 shares.
 */
export function networksOf(address: string): string[] {
  if (isIP(address) !== 6) return [address, `${address.slice(0, address.lastIndexOf('.'))}.0/24`];
  const groups = groupsOf(address).slice(0, 4);
  return SHARED_PREFIXES.map((bits) => {
    const prefix = groups.map(
      (group, index) => group & (0xffff << Math.max(0, (index + 1) * 16 - bits)) & 0xffff,
    );
    return `${prefix.map((group) => group.toString(16)).join(':')}::/${bits}`;
  });
}

/** Returns the eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [before = [], after = []] = address.replace(/%.*$/, '').split('::').map(numbersIn);
  const missing = 8 - before.length - after.length;
  return [...before, ...Array.from({ length: missing }, () => 0), ...after];
}

/** Parses groups of an IPv6 address. The last group may be an IPv4 address. */
const numbersIn = (groups: string): number[] =>
  groups === ''
    ? []
    : groups.split(':').flatMap((group) => {
        if (!group.includes('.')) return [Number.parseInt(group, 16)];
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
        return [(a << 8) | b, (c << 8) | d];
      });
