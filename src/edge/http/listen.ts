import { ConnectionWatch, type WatchOptions } from '../connections/connection-watch.ts';
import { openKernelSockets } from '../connections/kernel-sockets.ts';
import { type Edge, handleRequest } from './edge.ts';
import type { ClientConnections } from './open-exchange.ts';

export type Listener = {
  url: string;
  port: number;
  /** Connections that are open; undefined where the system does not show them. */
  connections(): number | undefined;
  /** Closes connections of networks that have too many, and others that are over their times, without waiting for the next round. */
  relieve(): number;
  /** No new connections, and idle ones are closed; what is under way goes on. */
  suspend(): void;
  /** New connections again, where they were suspended. */
  resume(): void;
  /** No new connections for good; what is under way goes on. */
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

type Server = Bun.Server<undefined>;

/** The only place that knows the runtime's server. */
export function listen(edge: Edge, options: ListenOptions): Listener {
  const doors = new Doors(edge, options);
  const { hostname } = options;
  const shownHost = hostname === '0.0.0.0' || hostname === '::' ? '127.0.0.1' : hostname;
  return {
    url: `http://${shownHost.includes(':') ? `[${shownHost}]` : shownHost}:${doors.port}`,
    port: doors.port,
    connections: () => doors.watch?.count,
    relieve: () => doors.watch?.round(performance.now()) ?? 0,
    suspend: () => doors.suspend(),
    resume: () => doors.resume(),
    stopAccepting: () => doors.stopAccepting(),
    close: () => doors.close(),
  };
}

/** The runtime checks its timeouts once per tick, so a timeout can fire up to one tick early. */
const RUNTIME_TICK_S = 4;

/** The runtime's server that takes connections, and those before it whose connections are not over. */
class Doors {
  readonly #edge: Edge;
  readonly #options: ListenOptions;
  readonly #ending = new Set<Server>();
  /** The last one, which answers questions about any request. */
  #latest: Server;
  #isOpen = true;
  #isOver = false;
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
      // Somebody else has the port for now: whoever resumes tries again.
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
    return Bun.serve({
      hostname: this.#options.hostname,
      port,
      // Until the first request. From then on each answer sets the time for the next one.
      idleTimeout: this.#options.headerTimeoutS,
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
  }

  readonly #connections: ClientConnections = {
    addressOf: (request) => this.#latest.requestIP(request)?.address ?? '',
    closeWhenIdle: (request, seconds) => this.#latest.timeout(request, seconds + RUNTIME_TICK_S),
    bytesTaken: (request) => {
      const peer = this.#latest.requestIP(request);
      return peer ? this.watch?.bytesTaken(peer) : undefined;
    },
    areWatched: () => this.watch !== undefined,
  };

  *#inUse() {
    for (const { request } of this.#edge.underWay.open()) {
      const peer = this.#latest.requestIP(request);
      if (peer) yield peer;
    }
  }
}
