import { isIPv4, isIPv6 } from 'node:net';

/**
 * Strips the brackets and the trailing dot of a host name in a URL. The URL parser has already lowercased the
 * name and converted numeric notations.
 */
export const plainHost = (hostname: string): string => hostname.replace(/^\[|\]$|\.$/g, '');

/** Reports whether the host is an address and not a name. */
export function isNumericHost(hostname: string): boolean {
  const name = plainHost(hostname);
  return isIPv4(name) || isIPv6(name);
}
