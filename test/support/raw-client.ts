import { connect } from 'node:net';

export type RawClient = ReturnType<typeof openRawClient>;

/** Opens a connection whose every byte the test controls. `from` is its source address. */
export function openRawClient(url: string, { from }: { from?: string } = {}) {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, ...(from && { localAddress: from }) });
  const closed = Promise.withResolvers<string>();
  let received = '';
  let isClosed = false;
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
  });
  socket.on('error', () => {}); // a reset is one of the ways to be closed
  socket.on('close', () => {
    isClosed = true;
    closed.resolve(received);
  });
  return {
    socket,
    send: (text: string) => void socket.write(text),
    received: () => received,
    isClosed: () => isClosed,
    /** All received bytes, once the connection is closed. */
    closed: closed.promise,
    /** Sends a piece repeatedly until the connection is closed. */
    async drip(piece: string, everyMs: number) {
      while (!isClosed) {
        socket.write(piece);
        await Bun.sleep(everyMs);
      }
    },
    /** Reads at about this pace instead of as fast as possible. Returns a function that ends this. */
    readSlowly(bytesPerSecond: number) {
      let budget = 0;
      const timer = setInterval(() => {
        budget += bytesPerSecond / 20;
        if (budget > 0) socket.resume();
      }, 50);
      const spend = (bytes: Buffer) => {
        budget -= bytes.length;
        if (budget <= 0) socket.pause();
      };
      socket.on('data', spend);
      socket.on('close', () => clearInterval(timer));
      return () => {
        clearInterval(timer);
        socket.off('data', spend);
        socket.resume();
      };
    },
    leave: () => void socket.destroy(),
  };
}

/** Returns the status of the first answer in these bytes. 0 means that they have no status line. */
export const statusIn = (received: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0);

/** Writes a request as text. */
export function rawRequest(
  line: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const all = {
    host: 'gate.test',
    ...headers,
    ...(text && { 'content-length': String(Buffer.byteLength(text)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${text}`;
}
