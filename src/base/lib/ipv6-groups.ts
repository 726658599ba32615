/**
 * Returns the eight groups of an IPv6 address, whose zone does not count.
 *
 * @example
 * ipv6Groups('fe80::192.0.2.1%eth0'); // → [0xfe80, 0, 0, 0, 0, 0, 0xc000, 0x201]
 */
export function ipv6Groups(address: string): number[] {
  const [before = [], after = []] = address.replace(/%.*$/, '').split('::').map(numbersIn);
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** Reads the groups on one side of `::`. The last of them can be an IPv4 address, which takes two groups. */
const numbersIn = (groups: string): number[] =>
  groups === ''
    ? []
    : groups.split(':').flatMap((group) => {
        if (!group.includes('.')) return [Number.parseInt(group, 16)];
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
        return [(a << 8) | b, (c << 8) | d];
      });

/** Returns the IPv4 address in two groups. */
export const ipv4OfGroups = (high = 0, low = 0): string =>
  [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
