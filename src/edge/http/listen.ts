import { ConnectionWatch, type WatchOptions } from '../connections/connection-watch.ts';
import { openKernelSockets } from '../connections/kernel-sockets.ts';
import { turnAway } from '../connections/turn-away.ts';
import { type Edge, handleRequest } from './edge.ts';
import type { ClientConnections } from './open-exchange.ts';
import { type SocketData, SocketServer } from './socket-server.ts';
import { targetRoutes } from './target-routes.ts';

export type Listener = {
  url: string;
  port: number;
  /** The number of open connections, or undefined if the system does not reveal it. */
  connections(): number | undefined;
  /** Closes the connections that break a rule, without waiting for the next round. Returns their number. */
  relieve(): number;
  /** Accepts no new connections and closes idle ones. Requests in flight continue. */
  suspend(): void;
  /** Accepts new connections again after a suspension. */
  resume(): void;
  /**
   * Lets no new connection begin, while those that have begun are accepted. `stopAccepting` then resets none
   * of them. Returns false if the system cannot do it.
   */
  turnAway(): boolean;
  /** Stops accepting connections permanently. Requests in flight continue. */
  stopAccepting(): void;
  /** Closes all remaining connections. */
  close(): Promise<void>;
};

export type ListenOptions = Pick<WatchOptions, 'times' | 'perNetwork' | 'networkOf' | 'closed'> & {
  hostname: string;
  port: number;
  /** A new connection must send the head of its first request within this time. */
  headerTimeoutS: number;
  /** Several processes accept connections on the port. */
  sharesPort?: boolean;
};

type Server = Bun.Server<SocketData>;

const refusing = (edge: Edge, refusal: NonNullable<Edge['refusal']>): Edge => ({ ...edge, refusal });

/** Starts to listen. No other module uses the runtime's server. */
export function listen(edge: Edge, options: ListenOptions): Listener {
  const sockets = new ListenSockets(edge, options);
  const { hostname } = options;
  const shownHost = hostname === '0.0.0.0' || hostname === '::' ? '127.0.0.1' : hostname;
  return {
    url: `http://${shownHost.includes(':') ? `[${shownHost}]` : shownHost}:${sockets.port}`,
    port: sockets.port,
    connections: () => sockets.watch?.count,
    relieve: () => sockets.watch?.round(performance.now()) ?? 0,
    suspend: () => sockets.suspend(),
    resume: () => sockets.resume(),
    turnAway: () => turnAway(sockets.port),
    stopAccepting: () => sockets.stopAccepting(),
    close: () => sockets.close(),
  };
}

/** The runtime checks its timeouts once per tick, so a timeout can fire up to one tick early. */
const RUNTIME_TICK_S = 4;

/** The runtime's server that accepts connections, and earlier servers that still have open connections. */
class ListenSockets {
  readonly #edge: Edge;
  readonly #options: ListenOptions;
  readonly #ending = new Set<Server>();
  /** The newest server, which answers questions about any request. */
  #latest: Server;
  #isOpen = true;
  #isOver = false;
  readonly #sockets = new SocketServer();
  readonly port: number;
  readonly watch: ConnectionWatch | undefined;

  constructor(edge: Edge, options: ListenOptions) {
    this.#edge = edge;
    this.#options = options;
    this.#latest = this.#serve(options.port);
    this.port = this.#latest.port!;
    const sockets = openKernelSockets();
    const inUse = () => this.#inUse();
    if (sockets) this.watch = new ConnectionWatch({ ...options, sockets, localPort: this.port, inUse });
  }

  suspend(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const ended = this.#latest;
    this.#ending.add(ended);
    void ended.stop(false).finally(() => this.#ending.delete(ended));
  }

  resume(): void {
    if (this.#isOpen || this.#isOver) return;
    try {
      this.#latest = this.#serve(this.port);
      this.#isOpen = true;
    } catch {
      // Another process has the port for now; the next resume tries again.
    }
  }

  stopAccepting(): void {
    this.#isOver = true;
    this.suspend();
  }

  async close(): Promise<void> {
    this.watch?.close();
    this.stopAccepting();
    await Promise.all([...this.#ending].map((each) => each.stop(true)));
  }

  #serve(port: number): Server {
    const edge = this.#edge;
    const connections = this.#connections;
    const missing = refusing(edge, (path) => edge.router.explainEmptySegments(path));
    return Bun.serve({
      hostname: this.#options.hostname,
      port,
      // Applies until the first request. After that, each answer sets the timer for the next request.
      idleTimeout: this.#options.headerTimeoutS,
      // The gateway enforces the limit with its own envelope, because the runtime's answer has no body.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: false,
      // Outside development mode the runtime shares ports by default, and a second server
      // would get half of the requests.
      reusePort: this.#options.sharesPort === true,
      routes: targetRoutes(edge.router.fixedPaths(), (path) => {
        const at: Edge = path === undefined ? edge : { ...edge, path };
        return (request, bunServer, refusal) => {
          // Models can think for minutes. The timer is set again when the answer ends.
          bunServer.timeout(request, 0);
          return handleRequest(refusal ? refusing(at, () => refusal) : at, request, connections);
        };
      }),
      /** Requests whose path has an empty segment, or more segments than any route. */
      fetch: (request) => handleRequest(missing, request, connections),
      websocket: this.#sockets.handler,
    });
  }

  readonly #connections: ClientConnections = {
    addressOf: (request) => this.#latest.requestIP(request)?.address ?? '',
    closeWhenIdle: (request, seconds) => this.#latest.timeout(request, seconds + RUNTIME_TICK_S),
    bytesTaken: (request) => {
      const peer = this.#latest.requestIP(request);
      return peer ? this.watch?.bytesTaken(peer) : undefined;
    },
    areWatched: () => this.watch !== undefined,
    upgrade: (request, handler) =>
      this.#latest.upgrade(request, { data: { handler, peer: this.#latest.requestIP(request) } }),
  };

  *#inUse() {
    for (const { request } of this.#edge.underWay.open()) {
      const peer = this.#latest.requestIP(request);
      if (peer) yield peer;
    }
    yield* this.#sockets.peers();
  }
}
