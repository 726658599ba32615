import { type Edge, handleRequest } from './edge.ts';

export type Listener = {
  url: string;
  port: number;
  /** No new connections; what is under way goes on. */
  stopAccepting(): void;
  /** Ends what is still open. */
  close(): Promise<void>;
};

/** Idle connections are closed after this; a request turns it off for itself, since models may think for minutes. */
const IDLE_SECONDS = 60;

/** The only place that knows the runtime's server. */
export function listen(edge: Edge, { hostname, port }: { hostname: string; port: number }): Listener {
  const peerOf = (request: Request): string => server.requestIP(request)?.address ?? '';
  const server: Bun.Server<undefined> = Bun.serve({
    hostname,
    port,
    idleTimeout: IDLE_SECONDS,
    // The limit is ours to enforce, with our own envelope: the runtime's answer has no body.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    // Outside development mode the runtime shares ports by itself: a second server would take half of the requests.
    reusePort: false,
    fetch(request, bunServer) {
      bunServer.timeout(request, 0);
      return handleRequest(edge, request, peerOf);
    },
  });
  const shownHost = hostname === '0.0.0.0' || hostname === '::' ? '127.0.0.1' : hostname;
  return {
    url: `http://${shownHost.includes(':') ? `[${shownHost}]` : shownHost}:${server.port}`,
    port: server.port!,
    stopAccepting: () => void server.stop(false),
    close: () => server.stop(true),
  };
}
