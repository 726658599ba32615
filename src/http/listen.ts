import { ConnectionWatch, type WatchOptions } from '../connections/connection-watch.ts';
import { openKernelSockets } from '../connections/kernel-sockets.ts';
import { type Edge, handleRequest } from './edge.ts';
import type { ClientConnections } from './open-exchange.ts';

export type Listener = {
  url: string;
  port: number;
  /** Connections that are open; undefined where the system does not show them. */
  connections(): number | undefined;
  /** No new connections; what is under way goes on. */
  stopAccepting(): void;
  /** Ends what is still open. */
  close(): Promise<void>;
};

export type ListenOptions = Pick<WatchOptions, 'times' | 'perNetwork' | 'networkOf' | 'closed'> & {
  hostname: string;
  port: number;
  /** Within which a new connection must have sent the head of its first request. */
  headerTimeoutS: number;
};

/** The only place that knows the runtime's server. */
export function listen(edge: Edge, { hostname, port, headerTimeoutS, ...watching }: ListenOptions): Listener {
  let watch: ConnectionWatch | undefined;
  const connections: ClientConnections = {
    addressOf: (request) => server.requestIP(request)?.address ?? '',
    closeWhenIdle: (request, seconds) => server.timeout(request, seconds),
    bytesTaken(request) {
      const peer = server.requestIP(request);
      return peer ? watch?.bytesTaken(peer) : undefined;
    },
    areWatched: () => watch !== undefined,
  };
  const server: Bun.Server<undefined> = Bun.serve({
    hostname,
    port,
    // Until the first request. From then on each answer sets the time for the next one.
    idleTimeout: headerTimeoutS,
    // The limit is ours to enforce, with our own envelope: the runtime's answer has no body.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    // Outside development mode the runtime shares ports by itself: a second server would take half of the requests.
    reusePort: false,
    fetch(request, bunServer) {
      // Models may think for minutes. The timer is set again when the answer ends.
      bunServer.timeout(request, 0);
      return handleRequest(edge, request, connections);
    },
  });
  const sockets = openKernelSockets();
  if (sockets) watch = new ConnectionWatch({ ...watching, sockets, localPort: server.port!, inUse });

  function* inUse() {
    for (const { request } of edge.underWay.open()) {
      const peer = server.requestIP(request);
      if (peer) yield peer;
    }
  }
  const shownHost = hostname === '0.0.0.0' || hostname === '::' ? '127.0.0.1' : hostname;
  return {
    url: `http://${shownHost.includes(':') ? `[${shownHost}]` : shownHost}:${server.port}`,
    port: server.port!,
    connections: () => watch?.count,
    stopAccepting: () => void server.stop(false),
    close() {
      watch?.close();
      return server.stop(true);
    },
  };
}
