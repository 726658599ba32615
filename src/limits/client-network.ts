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

const isTrusted = (address: string, trusted: BlockList): boolean =>
  isIP(address) !== 0 && trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');

/** `::ffff:10.0.0.1` is 10.0.0.1, on a socket for both. */
const plain = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped ? mapped[1]! : address.replace(/%.*$/, '');
};

const withoutPort = (text: string): string =>
  /^\[(.*)\](:\d+)?$/.exec(text)?.[1] ?? (/^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.split(':')[0]! : text);

/** A network of IPv6 is given to one client as a whole: addresses within 64 bits are the same one. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : 8 - before.length - after.length - (tail.includes('.') ? 1 : 0);
  const groups = [...before, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
