import type { Socket } from 'bun';

/** A connection by its number at the host, with the number of its requests so far. */
export type HostConnection = { number: number; requests: number; socket: Socket<HostConnection> };
/** Answers each complete request. */
export type HostScript = (connection: HostConnection) => void;

const HEAD_END = '\r\n\r\n';

/** Returns the length of the first request, or undefined if a part of it is missing. */
function requestLength(received: string): number | undefined {
  const bodyStart = received.indexOf(HEAD_END) + HEAD_END.length;
  if (bodyStart < HEAD_END.length) return undefined;
  const declared = /\r\ncontent-length: (\d+)/.exec(received.slice(0, bodyStart))?.[1] ?? 0;
  const length = bodyStart + Number(declared);
  return received.length < length ? undefined : length;
}

/** A host on raw sockets: the test writes each byte of its answers. Received bytes are kept as Latin-1. */
export function startScriptedHost(script: HostScript, hostname = '127.0.0.1') {
  const seen = { connections: 0, requests: [] as string[], open: 0 };
  const server = Bun.listen<HostConnection & { received: string }>({
    hostname,
    port: 0,
    socket: {
      open(socket) {
        seen.open++;
        socket.data = { number: ++seen.connections, requests: 0, received: '', socket };
        socket.setNoDelay(true);
      },
      data({ data }, bytes) {
        data.received += bytes.toString('latin1');
        for (;;) {
          const length = requestLength(data.received);
          if (length === undefined) return;
          seen.requests.push(data.received.slice(0, length));
          data.received = data.received.slice(length);
          data.requests++;
          script(data);
        }
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
