import type { Host } from '../kernel/host.ts';
import type { Simulation } from '../kernel/simulation.ts';

/** The handlers that the program gives to `Bun.connect`. */
export type SocketHandlers = {
  open?(socket: UpstreamSocket): void;
  data?(socket: UpstreamSocket, bytes: Buffer): void;
  drain?(socket: UpstreamSocket): void;
  end?(socket: UpstreamSocket): void;
  close?(socket: UpstreamSocket, error?: Error): void;
};

/** The behaviour of the simulated server on a connection. */
export type Peer = {
  received(bytes: Buffer): void;
  /** The gateway has closed its end, or has died. */
  closed(): void;
};

/**
 * The gateway's end of a connection to a simulated server. Bytes take a random time, and keep their order.
 */
export class UpstreamSocket {
  data: unknown;
  readonly #simulation: Simulation;
  readonly #host: Host;
  readonly #handlers: SocketHandlers;
  readonly #dies = () => this.#leave();
  #peer: Peer | undefined;
  #isOpen = true;
  /** The server has closed the connection, and reads nothing that arrives later. */
  #isPeerGone = false;
  #isPaused = false;
  #held: (() => void)[] = [];
  /** Times before which no later bytes may arrive. */
  #sentUntil = 0;
  #receivedUntil = 0;

  constructor(simulation: Simulation, { data, socket }: { data: unknown; socket: SocketHandlers }) {
    this.data = data;
    this.#simulation = simulation;
    this.#host = simulation.host;
    this.#handlers = socket;
    this.#host.crashListeners.add(this.#dies);
  }

  get isOpen(): boolean {
    return this.#isOpen && this.#host.isAlive;
  }

  /** The process that has connected. */
  get host(): Host {
    return this.#host;
  }

  attach(peer: Peer): void {
    this.#peer = peer;
  }

  // What the gateway calls.

  write(bytes: string | Uint8Array): number {
    if (!this.isOpen) return -1;
    const copy = Buffer.from(bytes as Uint8Array);
    const at = Math.max(this.#sentUntil, this.#simulation.now + this.#latency());
    this.#sentUntil = at;
    this.#simulation.after(
      at - this.#simulation.now,
      `to upstream ${copy.length}`,
      () => {
        if (!this.#isPeerGone) this.#peer?.received(copy);
      },
      this.#simulation.outside,
    );
    return copy.length;
  }

  setNoDelay(): void {}

  setKeepAlive(): void {}

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    for (const deliver of this.#held.splice(0))
      this.#simulation.after(0, 'from upstream, held', deliver, this.#host);
  }

  end(): void {
    this.terminate();
  }

  terminate(): void {
    if (this.#host.isAlive) this.#leave();
  }

  // What the server does.

  send(bytes: Buffer): void {
    const text = `from upstream ${bytes.length} ${Bun.hash.crc32(bytes)}`;
    this.#arrive(text, () => {
      this.#simulation.pass('upstream bytes');
      if (this.isOpen) this.#handlers.data?.(this, bytes);
    });
  }

  /** The server closes the connection: in order, or by a reset. */
  close(how: 'fin' | 'reset'): void {
    this.#isPeerGone = true;
    this.#arrive(`upstream ${how}`, () => {
      this.#isOpen = false;
      if (how === 'fin') this.#handlers.end?.(this);
      const error = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      this.#handlers.close?.(this, how === 'reset' ? error : undefined);
      this.#over();
    });
  }

  #arrive(what: string, run: () => void): void {
    const at = Math.max(this.#receivedUntil, this.#simulation.now + this.#latency());
    this.#receivedUntil = at;
    const deliver = () => {
      if (!this.isOpen) return;
      if (this.#isPaused) this.#held.push(deliver);
      else run();
    };
    this.#simulation.after(at - this.#simulation.now, what, deliver, this.#host);
  }

  #leave(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#over();
    const peer = this.#peer;
    const at = Math.max(this.#sentUntil, this.#simulation.now + this.#latency());
    this.#simulation.after(
      at - this.#simulation.now,
      'upstream left',
      () => peer?.closed(),
      this.#simulation.outside,
    );
    if (!this.#host.isAlive) return;
    this.#simulation.after(0, 'socket closed', () => this.#handlers.close?.(this), this.#host);
  }

  #over(): void {
    this.#host.crashListeners.delete(this.#dies);
    this.#held = [];
  }

  #latency(): number {
    return this.#simulation.draws('network').skewed(0.05, 30);
  }
}
