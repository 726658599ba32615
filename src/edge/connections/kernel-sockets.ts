import { ptr } from 'bun:ffi';
import { type CLibrary, loadCLibrary } from '../../base/lib/load-c-library.ts';

/** The kernel's counters of one connection. Byte counts include data that is only in the kernel's buffers. */
export type SocketFigures = {
  received: number;
  sent: number;
  /** The part of `sent` that the client has confirmed. */
  taken: number;
  /** True if sent data is still waiting for the client. */
  isSending: boolean;
  sinceReceivedMs: number;
};

/**
 * The sockets of this process, by descriptor. The runtime's server does not expose a connection before its
 * first request and cannot close one on demand. Both use the kernel's own calls.
 */
export type KernelSockets = {
  /**
   * Returns the client's port of a connection to `localPort`. Returns 0 for other sockets, and undefined for
   * descriptors that are not sockets.
   */
  peerPort(descriptor: number, localPort: number): number | undefined;
  /** Returns the client's address, in the runtime's notation. */
  peerAddress(descriptor: number): string;
  figures(descriptor: number): SocketFigures | undefined;
  /** Makes the runtime close a connection. */
  close(descriptor: number): void;
  /** Closes a connection and discards the data that the client has not taken yet. */
  reset(descriptor: number): void;
};

const CALLS = {
  getsockname: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
  getpeername: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
  getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
  setsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'u32'], returns: 'i32' },
  shutdown: { args: ['i32', 'i32'], returns: 'i32' },
  inet_ntop: { args: ['i32', 'ptr', 'ptr', 'u32'], returns: 'ptr' },
} as const;

const AF_INET = 2;
const AF_INET6 = 10;
const SOL_SOCKET = 1;
const SO_LINGER = 13;
const IPPROTO_TCP = 6;
const TCP_INFO = 11;
const SHUT_RDWR = 2;

/** Offsets in the kernel's `struct tcp_info`, in 32-bit words. */
const UNACKED = 6;
const LAST_DATA_RECEIVED = 13;
const BYTES_ACKED = 30;
const BYTES_RECEIVED = 32;
const NOT_SENT = 36;
const BYTES_SENT = 50;
const BYTES_RESENT = 52;
/** Kernels older than 4.19 fill in less. */
const NEEDED_BYTES = 216;

/** Returns undefined if the kernel is not Linux or the C library is unknown. */
export function openKernelSockets(): KernelSockets | undefined {
  const calls = loadCLibrary(CALLS);
  return calls && new LinuxSockets(calls);
}

type Calls = CLibrary<typeof CALLS>;

class LinuxSockets implements KernelSockets {
  readonly #calls: Calls;
  // Each has a buffer of its own, because the memory of small typed arrays can move.
  readonly #address = new Uint8Array(new ArrayBuffer(128));
  readonly #length = new Uint32Array(new ArrayBuffer(4));
  readonly #info = new Uint32Array(new ArrayBuffer(256));
  readonly #text = new Uint8Array(new ArrayBuffer(64));
  readonly #noLinger = new Int32Array(new ArrayBuffer(8));
  readonly #addressAt = ptr(this.#address);
  readonly #lengthAt = ptr(this.#length);
  readonly #infoAt = ptr(this.#info);
  readonly #textAt = ptr(this.#text);

  constructor(calls: Calls) {
    this.#calls = calls;
    this.#noLinger[0] = 1;
  }

  peerPort(descriptor: number, localPort: number): number | undefined {
    this.#length[0] = this.#address.byteLength;
    if (this.#calls.getsockname(descriptor, this.#addressAt, this.#lengthAt) !== 0) return undefined;
    if (!this.#isInternet() || this.#port() !== localPort) return 0;
    return this.#readPeer(descriptor) ? this.#port() : 0;
  }

  peerAddress(descriptor: number): string {
    if (!this.#readPeer(descriptor)) return '';
    const family = this.#address[0]!;
    const start = family === AF_INET ? 4 : 8;
    this.#calls.inet_ntop(family, ptr(this.#address, start), this.#textAt, this.#text.byteLength);
    return Buffer.from(this.#text.subarray(0, this.#text.indexOf(0))).toString('latin1');
  }

  figures(descriptor: number): SocketFigures | undefined {
    this.#length[0] = this.#info.byteLength;
    const failed = this.#calls.getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, this.#infoAt, this.#lengthAt);
    if (failed !== 0 || this.#length[0]! < NEEDED_BYTES) return undefined;
    const info = this.#info;
    const notSent = info[NOT_SENT]!;
    return {
      received: this.#count(BYTES_RECEIVED),
      sent: this.#count(BYTES_SENT) - this.#count(BYTES_RESENT) + notSent,
      taken: this.#count(BYTES_ACKED),
      isSending: notSent > 0 || info[UNACKED]! > 0,
      sinceReceivedMs: info[LAST_DATA_RECEIVED]!,
    };
  }

  close(descriptor: number): void {
    this.#calls.shutdown(descriptor, SHUT_RDWR);
  }

  reset(descriptor: number): void {
    const { byteLength } = this.#noLinger;
    this.#calls.setsockopt(descriptor, SOL_SOCKET, SO_LINGER, ptr(this.#noLinger), byteLength);
    this.close(descriptor);
  }

  #readPeer(descriptor: number): boolean {
    this.#length[0] = this.#address.byteLength;
    return this.#calls.getpeername(descriptor, this.#addressAt, this.#lengthAt) === 0;
  }

  #isInternet(): boolean {
    const family = this.#address[0];
    return this.#address[1] === 0 && (family === AF_INET || family === AF_INET6);
  }

  #port(): number {
    return (this.#address[2]! << 8) | this.#address[3]!;
  }

  /** Reads a 64-bit number, exact up to 2^53. */
  #count(at: number): number {
    return this.#info[at]! + this.#info[at + 1]! * 2 ** 32;
  }
}
