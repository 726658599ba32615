import { ClientConnection, type ConnectionTimes, type Fault } from './client-connection.ts';
import { crowdOf } from './crowd-of.ts';
import type { KernelSockets, SocketFigures } from './kernel-sockets.ts';

/** The client's end of a connection. */
export type Peer = { address: string; port: number };

export type WatchOptions = {
  sockets: KernelSockets;
  /** The port that clients connect to. */
  localPort: number;
  times: () => ConnectionTimes;
  /** The number of connections that one network may have. */
  perNetwork: () => number;
  /** Returns undefined for the operator's own proxies. */
  networkOf: (address: string) => string | undefined;
  /** The connections that have a request in flight, and those of open WebSockets. */
  inUse: () => Iterable<Peer>;
  /** The connections of open WebSockets that have nothing to do. */
  idleSockets: () => Iterable<Peer>;
  /** Takes the bytes that each connection has received, once in each pass. */
  received: (peer: Peer, bytes: number) => void;
  closed: (reason: Fault | 'crowded', connection: ClientConnection) => void;
};

const ROUND_MS = 1_000;
/** Descriptors to check in one round, at 2 µs each. More descriptors take more rounds, one each second. */
const SLICE = 4_096;
/**
 * The kernel assigns the lowest free descriptor. After this many descriptors without a socket, no more
 * sockets are expected.
 */
const MAX_EMPTY_DESCRIPTORS = 1_024;

/** Closes connections that hold a descriptor without using it, and those beyond a network's limit. */
export class ConnectionWatch {
  readonly #options: WatchOptions;
  /** Indexed by descriptor. */
  readonly #connections: (ClientConnection | undefined)[] = [];
  readonly #timer: Timer;
  /** The next descriptor to check. */
  #next = 0;
  /** The highest descriptor of a socket, as of the last whole pass over the descriptors. */
  #highestBefore = 0;
  /** The highest descriptor of a socket in this pass. */
  #highest = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.round(performance.now()), ROUND_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** The number of connections in the last round. */
  get count(): number {
    return this.#all().length;
  }

  /** Returns the bytes sent on a connection that the client has confirmed. */
  bytesTaken(peer: Peer): number | undefined {
    return this.#figuresOf(peer)?.taken;
  }

  /** Returns the bytes received on a connection. Undefined for one that is younger than the last round. */
  bytesReceived(peer: Peer): number | undefined {
    return this.#figuresOf(peer)?.received;
  }

  #figuresOf(peer: Peer): SocketFigures | undefined {
    const connection = this.#connections.find(
      (candidate) =>
        candidate !== undefined && candidate.port === peer.port && candidate.address === peer.address,
    );
    if (!connection || !this.#isStill(connection)) return undefined;
    return this.#options.sockets.figures(connection.descriptor);
  }

  /**
   * Checks the next descriptors. After the last one, closes the connections that break a rule, and returns
   * their number.
   */
  round(now: number): number {
    const end = this.#next + SLICE;
    while (this.#next < end && !this.#isPastLast()) this.#lookAt(this.#next++, now);
    if (!this.#isPastLast()) return 0;
    this.#beginPass();
    return this.#closeFaulty(now);
  }

  #isPastLast(): boolean {
    return this.#next > this.#highestBefore && this.#next > this.#highest + MAX_EMPTY_DESCRIPTORS;
  }

  #beginPass(): void {
    this.#next = 0;
    this.#highestBefore = this.#highest;
    this.#highest = 0;
    this.#connections.length = Math.min(this.#connections.length, this.#highestBefore + 1);
  }

  #lookAt(descriptor: number, now: number): void {
    const { sockets, localPort, networkOf } = this.#options;
    const port = sockets.peerPort(descriptor, localPort);
    if (port !== undefined) this.#highest = descriptor;
    const figures = port ? sockets.figures(descriptor) : undefined;
    if (!port || !figures) {
      if (descriptor < this.#connections.length) this.#connections[descriptor] = undefined;
      return;
    }
    const connection = this.#connections[descriptor];
    // The descriptor may already belong to another client's connection.
    if (connection?.port === port && figures.received >= connection.figures.received)
      connection.look(figures, now);
    else {
      const address = sockets.peerAddress(descriptor);
      const place = { descriptor, port, address, network: networkOf(address) };
      this.#connections[descriptor] = new ClientConnection(place, figures, now);
    }
  }

  /** Closes the connections with a fault, and those beyond a network's limit. Returns their number. */
  #closeFaulty(now: number): number {
    const connections = this.#all();
    for (const connection of connections) this.#options.received(connection, connection.figures.received);
    const times = this.#options.times();
    const suspects = connections.flatMap((connection) => {
      const fault = connection.fault(times, now);
      return fault ? [{ connection, fault }] : [];
    });
    const crowd = crowdOf(connections, this.#options.perNetwork());
    if (suspects.length + crowd.length === 0) return 0;
    const inUse = new Set(Array.from(this.#options.inUse(), keyOf));
    let closed = 0;
    for (const { connection, fault } of suspects) {
      if (inUse.has(keyOf(connection))) connection.excuse(now);
      else if (this.#closeOne(connection, fault)) closed++;
    }
    if (crowd.length > 0) for (const peer of this.#options.idleSockets()) inUse.delete(keyOf(peer));
    for (const { connections, excess } of crowd) {
      // The limits of accounts already bound the requests in flight.
      const closable = connections.filter(
        (connection) => !inUse.has(keyOf(connection)) && this.#isStill(connection),
      );
      for (const connection of closable.slice(0, excess)) if (this.#closeOne(connection, 'crowded')) closed++;
    }
    return closed;
  }

  /** Closes a connection unless its descriptor has gone to another one, and reports whether it did. */
  #closeOne(connection: ClientConnection, reason: Fault | 'crowded'): boolean {
    if (!this.#isStill(connection)) return false;
    const { sockets } = this.#options;
    // The other connections have been sent all their data, perhaps unread. A reset could discard it.
    if (connection.figures.isSending) sockets.reset(connection.descriptor);
    else sockets.close(connection.descriptor);
    this.#connections[connection.descriptor] = undefined;
    this.#options.closed(reason, connection);
    return true;
  }

  /** Reports whether the descriptor still belongs to the connection. */
  #isStill({ descriptor, port }: ClientConnection): boolean {
    return this.#options.sockets.peerPort(descriptor, this.#options.localPort) === port;
  }

  #all(): ClientConnection[] {
    return this.#connections.filter((connection) => connection !== undefined);
  }
}

const keyOf = ({ address, port }: Peer): string => `${port} ${address}`;
