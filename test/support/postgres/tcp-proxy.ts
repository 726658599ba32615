import type { Socket, TCPSocketListener } from 'bun';

type ProxyTarget = { host: string; port: number };

type Side = {
  client: Socket<unknown>;
  toServer: Socket<unknown> | undefined;
  early: Buffer[];
  hasAsked: boolean;
};

/** A proxy in front of a server, always on one port. It forwards, delays, drops or cuts the traffic. */
export class TcpProxy {
  readonly #target: ProxyTarget;
  readonly #listener: TCPSocketListener<unknown>;
  readonly #sides = new Map<Socket<unknown>, Side>();
  #mode: 'forward' | 'swallow' | 'refuse' = 'forward';
  #delayMs = 0;
  #roundTrips = 0;
  /** The bytes that each socket has not taken yet. */
  readonly #unsent = new Map<Socket<unknown>, Buffer>();

  constructor(target: ProxyTarget) {
    this.#target = target;
    this.#listener = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        open: (client) => this.#open(client),
        data: (client, bytes) => this.#fromClient(client, bytes),
        drain: (client) => this.#drain(client),
        close: (client) => this.#close(client),
        error() {},
      },
    });
  }

  get port(): number {
    return this.#listener.port;
  }

  /** The connections that pass through. */
  get open(): number {
    return this.#sides.size;
  }

  /** The round trips: how often a client sent bytes after the server had answered, on all connections. */
  get roundTrips(): number {
    return this.#roundTrips;
  }

  /** Returns the given URL with the proxy's address. */
  urlOf(url: string): string {
    const parsed = new URL(url);
    parsed.hostname = '127.0.0.1';
    parsed.port = String(this.port);
    return parsed.href;
  }

  /** Delays each direction. */
  delay(milliseconds: number): void {
    this.#delayMs = milliseconds;
  }

  /** Drops all bytes. Connections stay open, and new ones are accepted. */
  blackHole(): void {
    this.#mode = 'swallow';
  }

  /** Closes all connections. New ones are closed at once. */
  cut(): void {
    this.#mode = 'refuse';
    this.dropAll();
  }

  /** Closes all connections. New ones work. */
  dropAll(): void {
    for (const client of [...this.#sides.keys()]) {
      this.#close(client);
      client.terminate();
    }
  }

  /** Forwards again. Connections that lost bytes are closed. */
  heal(): void {
    if (this.#mode !== 'forward') this.dropAll();
    this.#mode = 'forward';
  }

  /** Changes the target of new connections. */
  redirect({ host, port }: ProxyTarget): void {
    Object.assign(this.#target, { host, port });
  }

  stop(): void {
    this.dropAll();
    this.#listener.stop(true);
  }

  #open(client: Socket<unknown>): void {
    const side: Side = { client, toServer: undefined, early: [], hasAsked: false };
    this.#sides.set(client, side);
    if (this.#mode === 'refuse') {
      this.#close(client);
      client.terminate();
    } else if (this.#mode === 'forward') void this.#connect(side);
  }

  async #connect(side: Side): Promise<void> {
    const { host, port } = this.#target;
    try {
      const server = await Bun.connect({
        hostname: host,
        port,
        socket: {
          data: (_server, bytes) => {
            side.hasAsked = false;
            this.#later(bytes, () => side.client);
          },
          drain: (socket) => this.#drain(socket),
          close: () => {
            this.#close(side.client);
            side.client.end();
          },
          error() {},
        },
      });
      side.toServer = server;
      for (const bytes of side.early.splice(0)) this.#write(server, bytes);
    } catch {
      side.client.terminate();
    }
  }

  #fromClient(client: Socket<unknown>, bytes: Buffer): void {
    const side = this.#sides.get(client);
    if (!side) return;
    if (!side.hasAsked) this.#roundTrips++;
    side.hasAsked = true;
    if (!side.toServer && this.#mode === 'forward') side.early.push(Buffer.from(bytes));
    else this.#later(bytes, () => side.toServer);
  }

  #later(bytes: Buffer, socket: () => Socket<unknown> | undefined): void {
    const copy = Buffer.from(bytes);
    const forward = () => {
      const to = socket();
      if (to && this.#mode === 'forward') this.#write(to, copy);
    };
    if (this.#delayMs === 0) forward();
    else setTimeout(forward, this.#delayMs);
  }

  #close(client: Socket<unknown>): void {
    this.#sides.get(client)?.toServer?.terminate();
    this.#sides.delete(client);
  }

  #write(socket: Socket<unknown>, bytes: Buffer): void {
    const unsent = this.#unsent.get(socket);
    if (unsent) {
      this.#unsent.set(socket, Buffer.concat([unsent, bytes]));
      return;
    }
    const sent = Math.max(0, socket.write(bytes));
    if (sent < bytes.length) this.#unsent.set(socket, bytes.subarray(sent));
  }

  #drain(socket: Socket<unknown>): void {
    const unsent = this.#unsent.get(socket);
    this.#unsent.delete(socket);
    if (unsent) this.#write(socket, unsent);
  }
}
