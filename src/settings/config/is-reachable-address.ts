/** Reports whether a URL has a host and a usable port. */
export function isReachableAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.hostname !== '' && url.port !== '0';
}
