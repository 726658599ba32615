import { isIP } from 'node:net';
import { ipv6Groups } from '../../base/lib/ipv6-groups.ts';

/**
 * Returns the network of an address: the address itself for IPv4, the /64 block for IPv6. One client usually
 * owns a whole /64.
 */
export const networkOf = (address: string): string =>
  isIP(address) === 6 ? ipv6Network(ipv6Groups(address), 64) : address;

/** Prefixes of IPv6 that one customer of an internet provider can hold. */
const SHARED_PREFIXES = [64, 56, 48] as const;

/**
 * Returns the networks that an address belongs to, the narrowest first: /64, /56 and /48 for IPv6, the
 * address and its /24 for IPv4. A limit per /64 alone would give the holder of a /48 65,536 shares.
 */
export function networksOf(address: string): string[] {
  if (isIP(address) !== 6) return [address, `${address.slice(0, address.lastIndexOf('.'))}.0/24`];
  const groups = ipv6Groups(address);
  return SHARED_PREFIXES.map((prefixBits) => ipv6Network(groups, prefixBits));
}

/** Formats the network of a prefix, with its first four groups. Their bits after the prefix are 0. */
function ipv6Network(groups: readonly number[], prefixBits: number): string {
  const networkGroups = groups.slice(0, 4).map((group, index) => {
    const hostBits = Math.max(0, (index + 1) * 16 - prefixBits);
    return ((group >> hostBits) << hostBits).toString(16);
  });
  return `${networkGroups.join(':')}::/${prefixBits}`;
}
