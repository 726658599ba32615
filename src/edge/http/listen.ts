import { ConnectionWatch, type Peer, type WatchOptions } from '../connections/connection-watch.ts';
import { dropNewConnections } from '../connections/drop-new-connections.ts';
import { openKernelSockets } from '../connections/kernel-sockets.ts';
import { type Edge, handleRequest } from './edge.ts';
import type { ClientConnections } from './open-exchange.ts';
import { type SocketData, SocketServer } from './socket-server.ts';
import { targetRoutes } from './target-routes.ts';

/** The runtime checks its timeouts once per tick, so a timeout can fire up to one tick early. */
const RUNTIME_TICK_S = 4;

export type Listener = {
  url: string;
  port: number;
  /** The number of open connections, or undefined if the system does not reveal it. */
  connections(): number | undefined;
  /** Closes the connections that break a rule, without waiting for the next round. Returns their number. */
  relieve(): number;
  /** Accepts no new connections and closes idle ones. Requests in flight continue. */
  suspend(): void;
  /** Accepts new connections again after a suspension. A failure leaves the suspension to the next call. */
  resume(): void;
  /**
   * Lets no new connection begin, while those that have begun are accepted. `stopAccepting` then resets none
   * of them. Returns false if the system cannot do it.
   */
  dropNewConnections(): boolean;
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

/**
 * `open`: connections are accepted. `suspended`: they can be accepted again. `stopped`: they are never
 * accepted again.
 */
type State = 'open' | 'suspended' | 'stopped';

/** Returns an edge that answers every request with the refusal. */
const refusingEdge = (edge: Edge, refusal: NonNullable<Edge['refusal']>): Edge => ({ ...edge, refusal });

/** Starts to listen. No other module uses the runtime's server. */
export function listen(edge: Edge, options: ListenOptions): Listener {
  const servers = new PortServers(edge, options);
  const { hostname } = options;
  const shownHost = hostname === '0.0.0.0' || hostname === '::' ? '127.0.0.1' : hostname;
  return {
    url: `http://${shownHost.includes(':') ? `[${shownHost}]` : shownHost}:${servers.port}`,
    port: servers.port,
    connections: () => servers.watch?.count,
    relieve: () => servers.watch?.round(performance.now()) ?? 0,
    suspend: () => servers.suspend(),
    resume: () => servers.resume(),
    dropNewConnections: () => dropNewConnections(servers.port),
    stopAccepting: () => servers.stopAccepting(),
    close: () => servers.close(),
  };
}

/**
 * The servers of the runtime on one port: the newest one, and earlier ones that still have open connections.
 * A server that was suspended cannot accept again, so a new one takes its place.
 */
class PortServers {
  readonly #edge: Edge;
  readonly #options: ListenOptions;
  readonly #sockets = new SocketServer();
  /** The servers that accept no connections, until their last one is closed. */
  readonly #ending = new Set<Server>();
  /** Answers questions about the requests of every server. */
  #newest: Server;
  #state: State = 'open';
  readonly port: number;
  readonly watch: ConnectionWatch | undefined;

  constructor(edge: Edge, options: ListenOptions) {
    this.#edge = edge;
    this.#options = options;
    this.#newest = this.#serve(options.port);
    this.port = this.#newest.port!;
    const sockets = openKernelSockets();
    const inUse = () => this.#inUse();
    const idleSockets = () => this.#sockets.idlePeers();
    const { port: localPort } = this;
    const received = (peer: Peer, bytes: number) => this.#sockets.noteReceived(peer, bytes);
    const watched = { ...options, sockets, localPort, inUse, idleSockets, received };
    if (sockets) this.watch = new ConnectionWatch({ ...watched, sockets });
  }

  suspend(): void {
    if (this.#state !== 'open') return;
    this.#state = 'suspended';
    const server = this.#newest;
    this.#ending.add(server);
    void server.stop(false).finally(() => this.#ending.delete(server));
  }

  resume(): void {
    if (this.#state !== 'suspended') return;
    try {
      this.#newest = this.#serve(this.port);
      this.#state = 'open';
    } catch {
      // Another process has the port, or the process has no descriptor left. Both can end.
    }
  }

  stopAccepting(): void {
    this.suspend();
    this.#state = 'stopped';
  }

  async close(): Promise<void> {
    this.watch?.close();
    this.stopAccepting();
    await Promise.all([...this.#ending].map((server) => server.stop(true)));
  }

  #serve(port: number): Server {
    const edge = this.#edge;
    const connections = this.#connections;
    const unroutedEdge = refusingEdge(edge, (path) => edge.router.explainEmptySegments(path));
    return Bun.serve({
      hostname: this.#options.hostname,
      port,
      // Applies until the first request. After that, each answer sets the timer for the next request.
      idleTimeout: this.#options.headerTimeoutS,
      // The gateway enforces the limit with its own envelope, because the runtime's answer has no body.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: false,
      // Outside development mode the runtime shares ports by default, and a second server would get half of
      // the requests.
      reusePort: this.#options.sharesPort === true,
      routes: targetRoutes(edge.router.fixedPaths(), (path) => {
        const routed: Edge = path === undefined ? edge : { ...edge, path };
        return (request, bunServer, refusal) => {
          // Models can think for minutes. The timer is set again when the answer ends.
          bunServer.timeout(request, 0);
          return handleRequest(refusal ? refusingEdge(routed, () => refusal) : routed, request, connections);
        };
      }),
      /** Requests whose path has an empty segment, or more segments than any route. */
      fetch: (request) => handleRequest(unroutedEdge, request, connections),
      websocket: this.#sockets.handler,
    });
  }

  readonly #connections: ClientConnections = {
    addressOf: (request) => this.#newest.requestIP(request)?.address ?? '',
    closeWhenIdle: (request, seconds) => this.#newest.timeout(request, seconds + RUNTIME_TICK_S),
    bytesTaken: (request) => {
      const peer = this.#newest.requestIP(request);
      return peer ? this.watch?.bytesTaken(peer) : undefined;
    },
    areWatched: () => this.watch !== undefined,
    upgrade: (request, handler) => {
      const peer = this.#newest.requestIP(request);
      const readBytes = (peer && this.watch?.bytesReceived(peer)) ?? 0;
      return this.#newest.upgrade(request, { data: { handler, peer, readBytes } });
    },
  };

  *#inUse() {
    for (const { request } of this.#edge.underWay.open()) {
      const peer = this.#newest.requestIP(request);
      if (peer) yield peer;
    }
    yield* this.#sockets.peers();
  }
}
