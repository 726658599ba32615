/** Whether the host of an address takes a connection within a time. What is sent over it: nothing. */
export async function probeConnection(address: string, withinMs: number): Promise<boolean> {
  const { hostname, port, protocol } = new URL(address);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), withinMs);
  const connecting = Bun.connect({
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    socket: {
      open: () => resolve(true),
      connectError: () => resolve(false),
      data: () => {},
    },
  });
  connecting.catch(() => resolve(false));
  const isOpen = await promise;
  clearTimeout(timer);
  // A connection that comes after all is of no use either.
  connecting.then((socket) => socket.terminate()).catch(() => {});
  return isOpen;
}
