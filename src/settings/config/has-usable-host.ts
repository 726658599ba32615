/** Reports whether a URL has a host, and a port other than 0. */
export function hasUsableHost(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.hostname !== '' && url.port !== '0';
}
