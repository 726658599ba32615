/** Splits an address with a port, such as `127.0.0.1:9090` or `[::1]:9090`. */
export function listenAddressOf(address: string): { hostname: string; port: number } {
  const colon = address.lastIndexOf(':');
  const hostname = address.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  return { hostname, port: Number(address.slice(colon + 1)) };
}
