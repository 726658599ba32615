import type { Socket } from 'bun';

type Connection = { received: string; waiting: Buffer; closed: PromiseWithResolvers<void> };

/** One answer, written directly to the socket. */
export type RawAnswer = {
  send(piece: string | Uint8Array): void;
  /** Sleeps for 2 ms, so that the sent bytes usually leave as a separate piece. */
  pause(): Promise<void>;
  end(): Promise<void>;
  /** Resets the connection. */
  reset(): void;
  closed: Promise<void>;
  /** The sent bytes that the other side cannot take yet. */
  waitingBytes(): number;
};
export type RawScript = (answer: RawAnswer) => void | Promise<void>;

export const streamHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n';

const modelIn = /"model": ?"([^"]+)"/;

const isWhole = (received: string): boolean => {
  const head = received.indexOf('\r\n\r\n');
  const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
  return head >= 0 && Buffer.byteLength(received) >= head + 4 + length;
};

/** An upstream below HTTP: the test controls every byte. The upstream model's name selects the script. */
export function startRawUpstream() {
  const scripts = new Map<string, RawScript>();
  const server = Bun.listen<Connection>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        socket.data = { received: '', waiting: Buffer.alloc(0), closed: Promise.withResolvers<void>() };
        socket.setNoDelay(true);
      },
      data(socket, bytes) {
        socket.data.received += bytes.toString();
        if (!isWhole(socket.data.received)) return;
        const model = modelIn.exec(socket.data.received)?.[1] ?? '';
        socket.data.received = '';
        void scripts.get(model)?.(answerOn(socket));
      },
      drain: flush,
      close: (socket) => socket.data.closed.resolve(),
      error: (socket) => socket.data.closed.resolve(),
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port,
    answer: (model: string, script: RawScript) => void scripts.set(model, script),
    stop: () => server.stop(true),
  };
}

function flush(socket: Socket<Connection>): void {
  const { data } = socket;
  if (data.waiting.length === 0) return;
  const written = socket.write(data.waiting);
  data.waiting = data.waiting.subarray(Math.max(0, written));
}

function answerOn(socket: Socket<Connection>): RawAnswer {
  const { data } = socket;
  return {
    send(piece) {
      data.waiting = Buffer.concat([data.waiting, Buffer.from(piece as string)]);
      flush(socket);
    },
    pause: () => Bun.sleep(2),
    async end() {
      while (data.waiting.length > 0) await Bun.sleep(2);
      socket.end();
    },
    reset: () => void socket.terminate(),
    closed: data.closed.promise,
    waitingBytes: () => data.waiting.length,
  };
}
