import { MAX_BODY_BYTES } from '../../base/json/body-sizes.ts';
import type { SocketConnection, SocketHandler } from './socket-handler.ts';

type Peer = { address: string; port: number };
/** The data that the runtime keeps with a socket. */
export type SocketData = {
  handler: SocketHandler;
  peer: Peer | null;
  /** The bytes of the connection that belong to its requests and to whole messages. */
  readBytes: number;
  connection?: OpenSocket;
};
type Socket = Bun.ServerWebSocket<SocketData>;

/** The runtime closes longer messages with 1009. Handlers have bounds of their own. */
const MAX_MESSAGE_BYTES = 2 * MAX_BODY_BYTES;
/** The runtime pings a silent client, and closes a connection that does not answer within this time. */
const SILENT_S = 120;
/** A message comes in one frame or in several. The head of a frame has at most this many bytes. */
const FRAME_HEAD_BYTES = 14;
/** The part of a message that the heads of its frames may have in addition. */
const HEADS_SHARE = 1 / 16;
/** The head of the request that opens a socket can be this long. So much of a message is not booked. */
const UNBOOKED_BYTES = 16 * 1_024;
const TRY_AGAIN_LATER = 1013;
/** A reader that takes nothing of this much is closed, as its turns would wait forever. */
const MAX_WAITING_BYTES = 4 * MAX_BODY_BYTES;

class OpenSocket implements SocketConnection {
  readonly #socket: Socket;
  #drained: PromiseWithResolvers<void> | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  send(text: string): Promise<void> | undefined {
    // -1: the message waits in the runtime's buffer. 0: the connection is closed.
    if (this.#socket.send(text) !== -1) return undefined;
    this.#drained ??= Promise.withResolvers<void>();
    return this.#drained.promise;
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  drained(): void {
    this.#drained?.resolve();
    this.#drained = undefined;
  }
}

/** The sockets that are open, for the watch of connections. */
export class SocketServer {
  readonly #open = new Set<Socket>();
  readonly #byPeer = new Map<string, Socket>();

  /** Returns the peers of open sockets. */
  *peers(): Iterable<Peer> {
    for (const { data } of this.#open) if (data.peer) yield data.peer;
  }

  /** Returns the peers of open sockets that have nothing to do. */
  *idlePeers(): Iterable<Peer> {
    for (const { data } of this.#open) if (data.peer && data.handler.isIdle) yield data.peer;
  }

  /**
   * Books what has arrived of an unfinished message, which the runtime keeps. Closes a socket without memory
   * for it. `received` has the bytes of the connection so far.
   */
  noteReceived(peer: Peer, received: number): void {
    const socket = this.#byPeer.size > 0 ? this.#byPeer.get(keyOf(peer)) : undefined;
    if (!socket) return;
    const { data } = socket;
    // The heads of frames are mostly shorter than counted.
    data.readBytes = Math.min(data.readBytes, received);
    const bytes = received - data.readBytes;
    if (!data.handler.bookArrived(bytes > UNBOOKED_BYTES ? bytes : 0))
      socket.close(TRY_AGAIN_LATER, 'no memory for the message');
  }

  readonly handler: Bun.WebSocketHandler<SocketData> = {
    maxPayloadLength: MAX_MESSAGE_BYTES,
    idleTimeout: SILENT_S,
    sendPings: true,
    backpressureLimit: MAX_WAITING_BYTES,
    closeOnBackpressureLimit: true,
    perMessageDeflate: false,
    open: (socket) => {
      this.#open.add(socket);
      if (socket.data.peer) this.#byPeer.set(keyOf(socket.data.peer), socket);
      socket.data.connection = new OpenSocket(socket);
      socket.data.handler.opened(socket.data.connection);
    },
    message: (socket, message) => {
      socket.data.readBytes += Buffer.byteLength(message) * (1 + HEADS_SHARE) + FRAME_HEAD_BYTES;
      socket.data.handler.message(message);
    },
    drain: (socket) => socket.data.connection?.drained(),
    close: (socket) => {
      this.#open.delete(socket);
      if (socket.data.peer) this.#byPeer.delete(keyOf(socket.data.peer));
      socket.data.connection?.drained();
      socket.data.handler.closed();
    },
  };
}

const keyOf = ({ address, port }: Peer): string => `${port} ${address}`;
