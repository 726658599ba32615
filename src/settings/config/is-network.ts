import { isIP } from 'node:net';

/** The longest prefix of each version of IP. */
const maxPrefixes: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** Reports whether a text is an IP address or a CIDR block like `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...further] = text.split('/');
  const maxPrefix = maxPrefixes[isIP(address)];
  if (maxPrefix === undefined || address.includes('%') || further.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= maxPrefix);
}
