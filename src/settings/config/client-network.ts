import { BlockList, isIP, isIPv4 } from 'node:net';

/** The operator's own proxies, whose word on where a request came from is believed. */
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
 * Where a request came from: the nearest address that is not one of the operator's proxies. What stands in front of it in the header is the
 * client's own word, and nobody's proof.
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

/** The network that a connection counts for; undefined for the operator's proxies, whose connections bring many clients. */
export function countedNetwork(peer: string, trusted: BlockList): string | undefined {
  const address = plain(peer);
  return isTrusted(address, trusted) ? undefined : networkOf(address);
}

const isTrusted = (address: string, trusted: BlockList): boolean =>
  isIP(address) !== 0 && trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');

/** `::ffff:10.0.0.1` is 10.0.0.1, on a socket for both and however it is written. */
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

/** A network of IPv6 is given to one client as a whole: addresses within 64 bits are the same one. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const network = groupsOf(address).slice(0, 4);
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}

/** The eight numbers of an address of IPv6. */
function groupsOf(address: string): number[] {
  const [before = [], after = []] = address.replace(/%.*$/, '').split('::').map(numbersIn);
  const missing = 8 - before.length - after.length;
  return [...before, ...Array.from({ length: missing }, () => 0), ...after];
}

/** The last may be an address of IPv4. */
const numbersIn = (groups: string): number[] =>
  groups === ''
    ? []
    : groups.split(':').flatMap((group) => {
        if (!group.includes('.')) return [Number.parseInt(group, 16)];
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
        return [(a << 8) | b, (c << 8) | d];
      });
