import { isIP } from 'node:net';
import type { Socket, SocketHandler } from 'bun';
import type { AddressLookup } from './look-up-addresses.ts';
import type { Origin } from './origin.ts';

const HTTP_ONLY = Buffer.from('\x08http/1.1');

/** A socket that is being opened. `cancel()` rejects it. */
export type OpeningSocket = { socket: Promise<Socket<SocketOwner>>; cancel(): void };

/** Receives a socket's events, from the moment that it is connected. */
export type SocketOwner = {
  data(bytes: Buffer): void;
  drain(): void;
  end(): void;
  close(error?: Error): void;
};

/** The host to connect to, and how. */
export type Way = { origin: Origin; connectMs: number; addressesOf: AddressLookup };

type Attempt = {
  address: string;
  /** Undefined if there is no limit of its own. */
  timeoutMs: number | undefined;
};

/**
 * Connects to one of a host's addresses. Each is tried in turn within its share of the time. The socket uses
 * exactly the address that was looked up. The certificate must match the host's name, and is checked before a
 * byte is sent.
 */
export function openSocket(owner: SocketOwner, way: Way): OpeningSocket {
  const opening = new SocketOpening(owner, way);
  return { socket: opening.open(), cancel: () => opening.cancel() };
}

class SocketOpening {
  readonly #owner: SocketOwner;
  readonly #way: Way;
  #isCanceled = false;
  #giveUp = () => {};

  constructor(owner: SocketOwner, way: Way) {
    this.#owner = owner;
    this.#way = way;
  }

  async open(): Promise<Socket<SocketOwner>> {
    const { origin, connectMs, addressesOf } = this.#way;
    const addresses = await addressesOf(origin.hostname).catch((error) => {
      throw withPlace(error, origin.hostname);
    });
    const until = performance.now() + connectMs;
    let failure: unknown = new Error('the host has no address');
    for (const [index, address] of addresses.entries()) {
      if (this.#isCanceled) break;
      const remaining = addresses.length - index;
      const timeoutMs = remaining === 1 ? undefined : Math.max(0, until - performance.now()) / remaining;
      try {
        return await this.#attempt({ address, timeoutMs });
      } catch (error) {
        failure = withPlace(error, `${address}:${origin.port}`);
      }
    }
    throw failure;
  }

  cancel(): void {
    this.#isCanceled = true;
    this.#giveUp();
  }

  #attempt({ address, timeoutMs }: Attempt): Promise<Socket<SocketOwner>> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket<SocketOwner>>();
    const { isTls, hostname, port } = this.#way.origin;
    let opened: Socket<SocketOwner> | undefined;
    let isOver = false;
    let isEstablished = false;
    const establish = (socket: Socket<SocketOwner>) => {
      isEstablished = true;
      resolve(socket);
    };
    const fail = (error: unknown) => {
      isOver = true;
      reject(error);
      opened?.terminate();
    };
    this.#giveUp = () => fail(new Error('the connection attempt was canceled'));
    const timer = timeoutMs === undefined ? undefined : setTimeout(this.#giveUp, timeoutMs);
    Bun.connect<SocketOwner>({
      hostname: address,
      port,
      data: this.#owner,
      ...(isTls && { tls: tlsFor(hostname) }),
      socket: {
        ...handlers,
        open(socket) {
          opened = socket;
          if (isOver)
            socket.terminate(); // the connection came after the cancellation
          else if (!isTls) establish(socket);
        },
        handshake(socket, isGood, error) {
          if (isGood && !error) establish(socket);
          else fail(error ?? new Error('the TLS handshake failed'));
        },
        close(socket, error) {
          if (isEstablished) socket.data.close(error);
          else reject(error ?? new Error('the connection closed before it was established'));
        },
      },
    }).catch(fail);
    return promise.finally(() => clearTimeout(timer));
  }
}

/** Adds the place to a runtime's error, which says only that the connection failed. */
function withPlace(error: unknown, place: string): unknown {
  if (error instanceof Error && !error.message.includes(place)) error.message += `: ${place}`;
  return error;
}

/** An IP address is not a valid server name (RFC 6066 3). The certificate must match it all the same. */
const tlsFor = (hostname: string) => ({
  serverName: isIP(hostname) === 0 ? hostname : '',
  rejectUnauthorized: true,
  ALPNProtocols: HTTP_ONLY,
});

const handlers: SocketHandler<SocketOwner> = {
  data: (socket, bytes) => socket.data.data(bytes),
  drain: (socket) => socket.data.drain(),
  end: (socket) => socket.data.end(),
  // A close event follows every error.
  error() {},
  connectError() {},
};
