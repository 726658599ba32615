/** The addresses of clients, by network. A network of IPv6 has many. */
export const NETWORKS = [
  ['10.0.0.1'],
  ['10.0.0.2'],
  ['2001:db8::1', '2001:db8::2'],
  ['2001:db8:0:1::1'],
] as const satisfies readonly (readonly string[])[];

/** The address of a client that has no other. */
export const USUAL_ADDRESS = '127.0.0.1';

/** Returns the network of an address. */
export const networkOf = (address: string): string =>
  NETWORKS.find((addresses) => addresses.some((one) => one === address))?.[0] ?? address;
