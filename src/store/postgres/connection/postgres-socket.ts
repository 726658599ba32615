import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Socket } from 'bun';
import { ConnectionLost } from './connection-lost.ts';
import {
  type ClientCertificate,
  type ConnectionTarget,
  type PostgresHost,
  placeOf,
} from './connection-target.ts';

const KEEP_ALIVE_MS = 10_000;

/** Receives what happens to a socket. */
export type SocketEvents = {
  data(bytes: Buffer): void;
  /** The socket calls it once. */
  closed(error: Error): void;
};

type Encryption = Pick<ConnectionTarget, 'sslMode' | 'sslRootCert' | 'client'>;

/** The files are read at each connection, so that a renewed certificate needs no restart. */
const credentialsOf = ({ cert, key, passphrase }: ClientCertificate) => ({
  cert: readFileSync(cert),
  key: readFileSync(key),
  ...(passphrase !== undefined && { passphrase }),
});

/** A TCP or Unix connection to a server, which may become encrypted. */
export class PostgresSocket {
  readonly host: PostgresHost;
  events: SocketEvents;
  #socket: Socket<unknown> | undefined;
  /** Bytes that the kernel did not take yet. */
  #unsent: Buffer | undefined;
  #isClosed = false;

  private constructor(host: PostgresHost, events: SocketEvents) {
    this.host = host;
    this.events = events;
  }

  static async open(host: PostgresHost, events: SocketEvents): Promise<PostgresSocket> {
    const created = new PostgresSocket(host, events);
    const socket = created.#handlers();
    if (host.host.startsWith('/')) await Bun.connect({ unix: placeOf(host), socket });
    else await Bun.connect({ hostname: host.address ?? host.host, port: host.port, socket });
    return created;
  }

  write(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    if (this.#unsent) {
      this.#unsent = Buffer.concat([this.#unsent, bytes]);
      return;
    }
    const sent = Math.max(0, this.#socket?.write(bytes) ?? 0);
    if (sent < bytes.length) this.#unsent = Buffer.from(bytes.subarray(sent));
  }

  /** Encrypts the connection, and checks the certificate as the mode says. */
  secure({ sslMode, sslRootCert, client }: Encryption): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { host } = this.host;
    const [, encrypted] = (this.#socket as Socket<unknown>).upgradeTLS<unknown>({
      data: undefined,
      tls: {
        serverName: isIP(host) === 0 ? host : '',
        rejectUnauthorized: false,
        ...(sslRootCert && { ca: readFileSync(sslRootCert) }),
        ...(client && credentialsOf(client)),
      },
      socket: {
        ...this.#handlers(),
        open() {},
        handshake(_socket, isGood, error) {
          // All failures except a refused certificate also close the connection.
          if (error ? isAccepted(error, sslMode) : isGood) resolve();
          else reject(error ?? new Error('the TLS handshake failed'));
        },
      },
    });
    this.#socket = encrypted;
    return promise;
  }

  /** Closes the connection at once. */
  destroy(): void {
    this.#isClosed = true;
    this.#socket?.terminate();
  }

  /** Closes the connection after what was written. */
  end(): void {
    this.#isClosed = true;
    this.#socket?.end();
  }

  #handlers() {
    const lose = (error: Error | undefined) => this.#lose(error);
    return {
      open: (socket: Socket<unknown>) => {
        this.#socket = socket;
        socket.setNoDelay(true);
        socket.setKeepAlive(true, KEEP_ALIVE_MS);
      },
      data: (socket: Socket<unknown>, bytes: Buffer) => {
        // The runtime passes encrypted bytes to the first socket as well.
        if (socket === this.#socket) this.events.data(bytes);
      },
      drain: () => this.#drain(),
      end: (socket: Socket<unknown>) => {
        socket.end();
        lose(undefined);
      },
      close: (_socket: Socket<unknown>, error?: Error) => lose(error),
      error: (_socket: Socket<unknown>, error: Error) => lose(error),
      connectError: () => {},
    };
  }

  #drain(): void {
    const bytes = this.#unsent;
    this.#unsent = undefined;
    if (bytes) this.write(bytes);
  }

  #lose(error: Error | undefined): void {
    this.#isClosed = true;
    const { events } = this;
    this.events = { data() {}, closed() {} };
    events.closed(new ConnectionLost(error?.message ?? 'the server closed the connection', { cause: error }));
  }
}

/**
 * `verify-ca` accepts the certificate of another host.
 * The runtime reports a chain that it cannot verify first.
 */
function isAccepted({ code }: Error & { code?: string }, mode: ConnectionTarget['sslMode']): boolean {
  if (mode === 'verify-full') return false;
  return mode !== 'verify-ca' || code === 'ERR_TLS_CERT_ALTNAME_INVALID';
}
