import type { Socket } from 'bun';

/**
 * The pieces that an upstream writes, and its end.
 * `wait`: it writes nothing more until the gateway closes the connection.
 */
export type Script = { pieces: readonly Uint8Array[]; ending: 'keep' | 'close' | 'reset' | 'wait' };

export type UpstreamRequest = { path: string; body: string };

type Connection = { received: Buffer; waiting: Buffer; isClosed: boolean };

/** Starts an upstream below HTTP. The result of `answer` is written to the socket unchanged. */
export function startScriptedUpstream(answer: (request: UpstreamRequest) => Promise<Script>) {
  const server = Bun.listen<Connection>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        socket.data = { received: Buffer.alloc(0), waiting: Buffer.alloc(0), isClosed: false };
        socket.setNoDelay(true);
      },
      data(socket, bytes) {
        const { data } = socket;
        data.received = Buffer.concat([data.received, bytes]);
        const request = requestIn(data.received);
        if (!request) return;
        data.received = Buffer.alloc(0);
        void answer(request).then((script) => play(socket, script));
      },
      drain: flush,
      close: markClosed,
      error: markClosed,
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, port: server.port, stop: () => server.stop(true) };
}

function markClosed({ data }: Socket<Connection>): void {
  data.isClosed = true;
}

function requestIn(received: Buffer): UpstreamRequest | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  if (received.length < end + 4 + length) return undefined;
  return { path: head.split(' ')[1]!, body: received.toString('utf8', end + 4) };
}

/** Pieces leave one by one, so that the gateway reads them one by one. */
async function play(socket: Socket<Connection>, { pieces, ending }: Script): Promise<void> {
  const { data } = socket;
  for (const [at, piece] of pieces.entries()) {
    if (data.isClosed) return;
    if (at > 0) await new Promise(setImmediate);
    data.waiting = Buffer.concat([data.waiting, piece]);
    flush(socket);
  }
  if (ending === 'keep' || ending === 'wait') return;
  while (data.waiting.length > 0 && !data.isClosed) await Bun.sleep(1);
  if (ending === 'close') socket.end();
  else socket.terminate();
}

function flush(socket: Socket<Connection>): void {
  const { data } = socket;
  if (data.waiting.length === 0) return;
  const written = socket.write(data.waiting);
  data.waiting = data.waiting.subarray(Math.max(0, written));
}
