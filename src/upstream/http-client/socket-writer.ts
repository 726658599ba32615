import type { Socket } from 'bun';
import type { SocketOwner } from './open-socket.ts';

/** Writes bytes to a socket, and keeps those that do not fit the socket's buffer. */
export class SocketWriter {
  readonly #socket: Socket<SocketOwner>;
  #unsent: Uint8Array | undefined;
  /** Resolves the promise that the unsent bytes are taken. */
  #taken: (() => void) | undefined;

  constructor(socket: Socket<SocketOwner>) {
    this.#socket = socket;
  }

  get hasSentAll(): boolean {
    return !this.#unsent;
  }

  /** Writes bytes. Call it only when all earlier ones are sent. Returns false if the connection is closed. */
  write(bytes: string | Uint8Array, byteLength: number): boolean {
    const written = this.#socket.write(bytes);
    if (written < 0) return false;
    if (written < byteLength)
      this.#unsent = (typeof bytes === 'string' ? Buffer.from(bytes) : bytes).subarray(written);
    return true;
  }

  /** Resolves when the socket has taken all bytes. Undefined if that is so already. */
  whenTaken(): Promise<void> | undefined {
    if (!this.#unsent) return undefined;
    return new Promise((resolve) => {
      this.#taken = resolve;
    });
  }

  /** Writes more of the bytes that are kept, since the socket's buffer has space again. */
  drain(): void {
    if (!this.#unsent) return;
    const written = Math.max(0, this.#socket.write(this.#unsent));
    if (written < this.#unsent.length) this.#unsent = this.#unsent.subarray(written);
    else this.drop();
  }

  /** Forgets the bytes that are kept, and resolves the promise that they are taken. */
  drop(): void {
    this.#unsent = undefined;
    this.#taken?.();
    this.#taken = undefined;
  }
}
