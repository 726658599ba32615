import { createServer, connect as open, type Socket } from 'node:net';

/** Starts a proxy before a database. While it hangs, connections stay open and nothing passes. */
export async function startCuttableProxy(url: string) {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isHanging = false;
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (bytes) => isHanging || to.write(bytes));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((client) => {
    const upstream = open(Number(target.port), target.hostname);
    pass(client, upstream);
    pass(upstream, client);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as { port: number };
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    hang: () => {
      isHanging = true;
    },
    heal: () => {
      isHanging = false;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
