import { ipv4OfGroups, ipv6Groups } from './ipv6-groups.ts';

/**
 * IPv6 addresses with an IPv4 address in them: mapped (RFC 4291), NAT64 (RFC 6052) and 6to4 (RFC 3056).
 * `group` is the index of its first group.
 */
const FORMS = [
  { prefix: '0:0:0:0:0:ffff:', group: 6 },
  { prefix: '64:ff9b:0:0:0:0:', group: 6 },
  { prefix: '2002:', group: 1 },
];

/**
 * Returns the IPv4 address that an IPv6 address leads to, or undefined if it contains no IPv4 address.
 *
 * @example
 * embeddedIpv4('2002:a9fe:a9fe::1'); // → '169.254.169.254'
 */
export function embeddedIpv4(address: string): string | undefined {
  const groups = ipv6Groups(address);
  const written = groups.map((group) => group.toString(16)).join(':');
  const form = FORMS.find(({ prefix }) => written.startsWith(prefix));
  if (!form) return undefined;
  return ipv4OfGroups(groups[form.group], groups[form.group + 1]);
}
