import { BlockList, isIP, isIPv4 } from 'node:net';
import { ipv4OfGroups, ipv6Groups } from '../../base/lib/ipv6-groups.ts';
import { networkOf } from './network-of-address.ts';

/**
 * Builds the list of trusted proxies. Their `x-forwarded-…` headers determine the client address and the
 * public address.
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
  let address = plainAddress(peer);
  const hops = forwardedFor?.split(',') ?? [];
  while (hops.length > 0 && isTrusted(address, trusted)) {
    const earlier = withoutPort(hops.pop()!.trim());
    if (isIP(earlier) === 0) break;
    address = plainAddress(earlier);
  }
  return address;
}

/** Reports whether a connection comes from a trusted proxy. */
export const isTrustedProxy = (peer: string, trusted: BlockList): boolean =>
  isTrusted(plainAddress(peer), trusted);

/**
 * Returns the network that a connection counts for. Returns undefined for a trusted proxy, whose connections
 * carry many clients.
 */
export function countedNetwork(peer: string, trusted: BlockList): string | undefined {
  const address = plainAddress(peer);
  return isTrusted(address, trusted) ? undefined : networkOf(address);
}

const isTrusted = (address: string, trusted: BlockList): boolean =>
  isIP(address) !== 0 && trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');

/** Converts an IPv4-mapped address like `::ffff:10.0.0.1` to IPv4, and removes a zone. */
function plainAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = ipv6Groups(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped ? ipv4OfGroups(groups[6], groups[7]) : address.replace(/%.*$/, '');
}

/** Matches an address that can have a port: IPv6 in brackets, or IPv4. */
const WITH_PORT = /^(?:\[(?<ipv6>.*)\](?::\d+)?|(?<ipv4>\d+\.\d+\.\d+\.\d+):\d+)$/;

function withoutPort(text: string): string {
  const address = WITH_PORT.exec(text)?.groups;
  return address?.ipv6 ?? address?.ipv4 ?? text;
}
