import { connect } from 'node:net';

/** The bytes received on a connection, and whether the server closed it. */
export type RawOutcome = { received: string; isClosed: boolean; waitedMs: number };

/**
 * Sends bytes in these pieces over a connection of its own, and reads until the server closes it or the time
 * is up.
 */
export function exchangeRaw(
  url: string,
  pieces: readonly Uint8Array[],
  { limitMs, from }: { limitMs: number; from: string },
): Promise<RawOutcome> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  const startedAt = performance.now();
  const received: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<RawOutcome>();
  const finish = (isClosed: boolean) => {
    clearTimeout(timer);
    resolve({
      received: Buffer.concat(received).toString('utf8'),
      isClosed,
      waitedMs: performance.now() - startedAt,
    });
    socket.destroy();
  };
  const timer = setTimeout(() => finish(false), limitMs);
  socket.on('data', (bytes) => void received.push(Buffer.from(bytes)));
  socket.on('error', () => {}); // a reset is one of the ways to be closed
  socket.on('close', () => finish(true));
  socket.on('connect', async () => {
    for (const [at, piece] of pieces.entries()) {
      if (at > 0) await new Promise(setImmediate);
      if (!socket.destroyed) socket.write(piece);
    }
  });
  return promise;
}
