/** Whether a web address has a host and a port that a connection can be made to. */
export function isReachableAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.hostname !== '' && url.port !== '0';
}
