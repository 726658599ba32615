import { type Edge, handleRequest } from './edge.ts';

export type Listener = {
  url: string;
  port: number;
  /** No new connections, and idle ones are closed; what is under way goes on. */
  suspend(): void;
  /** New connections again, where they were suspended. */
  resume(): void;
  /** No new connections for good; what is under way goes on. */
  stopAccepting(): void;
  /** Ends what is still open. */
  close(): Promise<void>;
};

type Place = { hostname: string; port: number };
type Server = Bun.Server<undefined>;

/** Idle connections are closed after this; a request turns it off for itself, since models may think for minutes. */
const IDLE_SECONDS = 60;

/** The only place that knows the runtime's server. */
export function listen(edge: Edge, { hostname, port: wanted }: Place): Listener {
  let server: Server | undefined = serve(edge, { hostname, port: wanted });
  const port = server.port!;
  /** They take no connections, and have some that are not over. */
  const ending = new Set<Server>();
  let isOver = false;
  const suspend = () => {
    if (!server) return;
    const ended = server;
    server = undefined;
    ending.add(ended);
    void ended.stop(false).finally(() => ending.delete(ended));
  };
  const shownHost = hostname === '0.0.0.0' || hostname === '::' ? '127.0.0.1' : hostname;
  return {
    url: `http://${shownHost.includes(':') ? `[${shownHost}]` : shownHost}:${port}`,
    port,
    suspend,
    resume() {
      if (!server && !isOver) server = serveAgain(edge, { hostname, port });
    },
    stopAccepting() {
      isOver = true;
      suspend();
    },
    async close() {
      isOver = true;
      suspend();
      await Promise.all([...ending].map((each) => each.stop(true)));
    },
  };
}

function serve(edge: Edge, { hostname, port }: Place): Server {
  const peerOf = (request: Request): string => server.requestIP(request)?.address ?? '';
  const server: Server = Bun.serve({
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
  return server;
}

/** Undefined where somebody else has the port for now: whoever resumes tries again. */
function serveAgain(edge: Edge, place: Place): Server | undefined {
  try {
    return serve(edge, place);
  } catch {
    return undefined;
  }
}
