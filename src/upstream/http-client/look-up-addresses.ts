import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

export type AddressLookup = (hostname: string) => Promise<readonly string[]>;

/** Looks up a host's addresses, in the system's order. */
export const lookUpAddresses: AddressLookup = async (hostname) => {
  if (isIP(hostname) !== 0) return [hostname];
  const found = await lookup(hostname, { all: true });
  return [...new Set(found.map(({ address }) => address))];
};
