import type { Socket } from 'bun';

export type HostConnection = { number: number; received: string; socket: Socket<HostConnection> };
/** Answers each complete request. `count` is the number of requests on its connection. */
export type HostScript = (connection: HostConnection, request: string, count: number) => void;

const requestLength = (received: string): number => {
  const head = received.indexOf('\r\n\r\n');
  const length = Number(/\r\ncontent-length: (\d+)/.exec(received)?.[1] ?? 0);
  return head < 0 || received.length < head + 4 + length ? -1 : head + 4 + length;
};

/** A host on raw sockets: the test writes each byte of its answers. Received bytes are kept as Latin-1. */
export function startScriptedHost(script: HostScript, hostname = '127.0.0.1') {
  const seen = { connections: 0, requests: [] as string[], open: 0 };
  const server = Bun.listen<HostConnection>({
    hostname,
    port: 0,
    socket: {
      open(socket) {
        seen.open++;
        socket.data = { number: ++seen.connections, received: '', socket };
        socket.setNoDelay(true);
      },
      data({ data }, bytes) {
        data.received += bytes.toString('latin1');
        const length = requestLength(data.received);
        if (length < 0) return;
        const request = data.received.slice(0, length);
        data.received = data.received.slice(length);
        seen.requests.push(request);
        script(data, request, seen.requests.length);
      },
      close: () => void seen.open--,
      error() {},
    },
  });
  return {
    seen,
    port: server.port,
    url: `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${server.port}/v1/x`,
    stop: () => server.stop(true),
  };
}
