import type { Socket } from 'bun';
import type { StreamedBody } from '../../base/forms/outgoing-form.ts';
import type { AnswerHead } from './answer-head.ts';
import { AnswerParser } from './answer-parser.ts';
import { BodyPump } from './body-pump.ts';
import type { SocketOwner } from './open-socket.ts';
import type { Outbox, Sender } from './outbox.ts';
import { NARROW_BYTES, setReceiveBuffer, WIDE_BYTES } from './receive-buffer.ts';
import { SocketWriter } from './socket-writer.ts';

/** A request, as its connection sees it. */
export type ConnectionCall = {
  readonly bytes: string | Buffer;
  readonly byteLength: number;
  /** A body that follows the bytes piece by piece. */
  readonly streamed?: StreamedBody | undefined;
  /** The socket has taken another piece of that body. */
  onPieceSent?(): void;
  /** The socket has taken the whole of that body. */
  onBodySent?(): void;
  onHead(head: AnswerHead): void;
  /** Receives a range of body bytes. */
  onBody(bytes: Buffer, from: number, end: number): void;
  onEnd(): void;
  /**
   * Ends the call, since its connection is lost. `isUnheard`: a kept connection was closed before a byte of
   * the answer arrived, as when the host has dropped it in the meantime.
   */
  onLost(error: Error, isUnheard: boolean): void;
};

/** Keeps connections between their requests. */
export type IdleConnections = {
  put(connection: UpstreamConnection): void;
  remove(connection: UpstreamConnection): void;
};

/**
 * The time within which a host reports that it has dropped a connection, about one round trip. A host that
 * reports it later may have begun to work.
 */
const STALE_WITHIN_MS = 2_000;

export type ConnectionSurroundings = { idle: IdleConnections; outbox: Pick<Outbox, 'add'> };

/** Sends requests over one socket to one origin, one after the other. */
export class UpstreamConnection implements SocketOwner, Sender {
  readonly originKey: string;
  readonly #surroundings: ConnectionSurroundings;
  readonly #parser: AnswerParser = new AnswerParser(this);
  #socket: Socket<SocketOwner> | undefined;
  #call: ConnectionCall | undefined;
  #writer: SocketWriter | undefined;
  #pump: BodyPump | undefined;
  #requests = 0;
  #startedAt = 0;
  /** `queued`: the request is in the outbox. `sent`: no byte of its answer has arrived. */
  #phase: 'queued' | 'sent' | 'answering' = 'queued';
  /** The socket is not read. */
  #isPaused = false;
  /** The kernel accepts little ahead of the reader. */
  #isNarrow = false;
  /** The time at which an idle connection expires. */
  expiresAt = 0;

  constructor(originKey: string, surroundings: ConnectionSurroundings) {
    this.originKey = originKey;
    this.#surroundings = surroundings;
  }

  opened(socket: Socket<SocketOwner>): void {
    this.#socket = socket;
    this.#writer = new SocketWriter(socket);
    socket.setNoDelay(true);
  }

  get keepAlive(): string | null {
    return this.#parser.keepAlive;
  }

  start(call: ConnectionCall): void {
    this.#call = call;
    this.#requests++;
    this.#startedAt = performance.now();
    this.#phase = 'queued';
    this.#parser.begin();
    this.#surroundings.outbox.add(this);
  }

  send(): void {
    const call = this.#call;
    if (!call) return; // the request has been called off
    this.#phase = 'sent';
    if (!this.#writer?.write(call.bytes, call.byteLength)) this.#lose(connectionClosed());
    else if (call.streamed) this.#startPump(this.#writer, call, call.streamed);
  }

  /** Sends no more of a body that its host does not want. */
  stopSending(): void {
    this.#pump?.stop();
  }

  #startPump(writer: SocketWriter, call: ConnectionCall, { pieces }: StreamedBody): void {
    this.#pump = new BodyPump(pieces(), {
      write(piece) {
        if (!writer.write(piece, piece.byteLength)) throw connectionClosed();
        return writer.whenTaken();
      },
      onPieceSent: () => call.onPieceSent?.(),
      onBodySent: () => call.onBodySent?.(),
      onFailure: (error) => this.#lose(error),
    });
    void this.#pump.run(writer.whenTaken());
  }

  /** Aborts the current request, and closes the connection. */
  abort(): void {
    this.#call = undefined;
    this.terminate();
  }

  terminate(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#pump?.stop();
    this.#pump = undefined;
    this.#writer?.drop();
    this.#writer = undefined;
    socket?.terminate();
  }

  /** Stops reading the answer until `resume()`. */
  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#socket?.pause();
  }

  /** Makes the kernel accept less ahead of a slow reader. */
  narrow(): void {
    if (this.#isNarrow || !this.#socket) return;
    this.#isNarrow = true;
    setReceiveBuffer(this.#socket, NARROW_BYTES);
  }

  /** Ends the effect of `narrow()`. */
  widen(): void {
    if (!this.#isNarrow || !this.#socket) return;
    this.#isNarrow = false;
    setReceiveBuffer(this.#socket, WIDE_BYTES);
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#socket?.resume();
  }

  onHead(head: AnswerHead): void {
    this.#call?.onHead(head);
  }

  onBody(bytes: Buffer, from: number, end: number): void {
    this.#call?.onBody(bytes, from, end);
  }

  data(bytes: Buffer): void {
    if (!this.#socket) return;
    if (!this.#call)
      this.#retire(); // an unexpected answer
    else if (this.#phase === 'queued')
      this.#lose(new Error('a response arrived before its request was sent'));
    else this.#parse(bytes);
  }

  drain(): void {
    this.#writer?.drain();
  }

  end(): void {
    this.close();
  }

  close(error?: Error): void {
    if (!this.#call) this.#retire();
    else if (error) this.#lose(error);
    else this.#parseEnd();
  }

  #parse(bytes: Buffer): void {
    this.#phase = 'answering';
    try {
      const excessBytes = this.#parser.push(bytes);
      if (!this.#parser.isDone) return;
      const mayBeKept = excessBytes === 0 && !this.#parser.isLast && this.#hasSentAll();
      this.#finish(mayBeKept ? 'keep' : 'terminate');
    } catch (error) {
      this.#lose(error as Error);
    }
  }

  #parseEnd(): void {
    try {
      this.#parser.finish();
      this.#finish('terminate');
    } catch (error) {
      this.#lose(error as Error);
    }
  }

  #hasSentAll(): boolean {
    return this.#writer?.hasSentAll === true && (this.#pump === undefined || this.#pump.isDone);
  }

  /** Finishes a complete answer. Its reader may send the next request at once. */
  #finish(next: 'keep' | 'terminate'): void {
    const call = this.#call;
    this.#call = undefined;
    this.resume(); // the last piece may have paused the socket
    if (next === 'keep') {
      this.#pump = undefined;
      this.widen();
      this.#surroundings.idle.put(this);
    } else this.terminate();
    call?.onEnd();
  }

  #lose(error: Error): void {
    const call = this.#call;
    this.#call = undefined;
    this.terminate();
    const isUnheard =
      this.#requests > 1 &&
      this.#phase !== 'answering' &&
      performance.now() - this.#startedAt < STALE_WITHIN_MS;
    call?.onLost(error, isUnheard);
  }

  #retire(): void {
    this.#surroundings.idle.remove(this);
    this.terminate();
  }
}

const connectionClosed = (): Error => new Error('the connection is closed');
