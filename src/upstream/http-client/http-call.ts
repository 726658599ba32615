import type { StreamedBody } from '../../base/forms/outgoing-form.ts';
import type { YieldQueue } from '../../base/lib/yield-queue.ts';
import type { AnswerHead } from './answer-head.ts';
import { BodyCollector, type BodyFollower, startOf, wholeBody, wholeText } from './body-collector.ts';
import { BodyQueue } from './body-queue.ts';
import { CallDeadline } from './call-deadline.ts';
import type { DueWatch } from './due-watch.ts';
import {
  type AnswerText,
  CallEnded,
  type HttpAnswer,
  type HttpRequest,
  type WholeBody,
} from './http-answer.ts';
import { traceLines } from './trace-fields.ts';
import type { ConnectionCall, UpstreamConnection } from './upstream-connection.ts';

/**
 * The most bytes that wait for a slow reader, besides the piece that has just arrived. The rest waits in the
 * kernel and at the host. A larger piece is read in parts of this size, and other requests get a turn in
 * between.
 */
const MAX_WAITING_BYTES = 32 * 1024;

/** Opens a connection for a call. The returned function cancels the connecting. */
export type Connect = (call: HttpCall) => () => void;

export type CallParts = { connect: Connect; dues: DueWatch; yieldQueue: YieldQueue };

/** A read of the next piece, which has not arrived yet. */
type PendingRead = { resolve(piece: Uint8Array | undefined): void; reject(error: Error): void };

/**
 * One request with its answer. Both are one object, so that a call costs little more than its bytes. The
 * connection calls the `on` methods, and the reader of the answer those of `HttpAnswer`.
 */
export class HttpCall implements HttpAnswer, ConnectionCall {
  /** Resolves when the head of the answer has arrived. */
  readonly begun: Promise<HttpAnswer>;
  readonly request: HttpRequest;
  /** The part of the body that has arrived and was not read yet. */
  readonly queue = new BodyQueue();
  /** The head and the body of the request. They are emptied once the answer has begun. */
  bytes: string | Buffer;
  readonly byteLength: number;
  readonly #connect: Connect;
  readonly #yieldQueue: YieldQueue;
  readonly #deadline: CallDeadline;
  readonly #begin: (answer: HttpAnswer) => void;
  readonly #refuse: (error: Error) => void;
  #connection: UpstreamConnection | undefined;
  #cancelConnecting: (() => void) | undefined;
  #head: AnswerHead | undefined;
  #state: 'open' | 'whole' | 'failed' = 'open';
  #error: Error | undefined;
  #pendingRead: PendingRead | undefined;
  #collector: BodyFollower | undefined;

  constructor(request: HttpRequest, { connect, dues, yieldQueue }: CallParts) {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    this.begun = promise;
    this.#begin = resolve;
    this.#refuse = reject;
    this.request = request;
    const { head, body, trace, streamed } = request;
    const bodyBytes = Buffer.byteLength(body);
    const contentLength = streamed ? streamed.byteLength : bodyBytes;
    const lines = `${head.text}${contentLength}\r\n${trace ? traceLines(trace) : ''}\r\n`;
    this.byteLength = lines.length + bodyBytes;
    this.bytes = head.isAscii
      ? lines + body
      : Buffer.concat([Buffer.from(lines, 'latin1'), Buffer.from(body)]);
    this.#connect = connect;
    this.#yieldQueue = yieldQueue;
    this.#deadline = new CallDeadline(request, dues, this);
  }

  /** Asks for a connection, which then sends the request. */
  connect(): void {
    if (this.#state !== 'open') return;
    this.#deadline.connecting();
    this.#cancelConnecting = this.#connect(this);
  }

  /** Sends the request over a connection that is free for it. */
  sendOver(connection: UpstreamConnection): void {
    if (this.#state !== 'open') {
      connection.terminate();
      return;
    }
    if (this.#cancelConnecting) this.#deadline.connected();
    this.#cancelConnecting = undefined;
    this.#connection = connection;
    connection.start(this);
  }

  get streamed(): StreamedBody | undefined {
    return this.request.streamed;
  }

  onPieceSent(): void {
    if (this.#isUnanswered) this.#deadline.sending();
  }

  onBodySent(): void {
    if (this.#isUnanswered) this.#deadline.sent();
  }

  get #isUnanswered(): boolean {
    return this.#state === 'open' && !this.#head;
  }

  onHead(head: AnswerHead): void {
    this.#head = head;
    this.bytes = ''; // the request is not sent again
    this.request.body = '';
    if (this.streamed && head.status >= 300) this.#connection?.stopSending();
    this.#begin(this);
  }

  onBody(bytes: Buffer, from: number, end: number): void {
    if (!this.#pendingRead) this.#hold(bytes, from, end);
    else if (end - from <= MAX_WAITING_BYTES) this.#handOver(this.#pendingRead, bytes.subarray(from, end));
    else this.#handOverInPieces(this.#pendingRead, bytes.subarray(from, end));
  }

  onEnd(): void {
    this.#state = 'whole';
    this.#connection = undefined;
    this.#deadline.close();
    this.#pendingRead?.resolve(undefined);
    this.#collector?.end();
  }

  onLost(error: Error, isUnheard: boolean): void {
    this.#connection = undefined;
    if (isUnheard) this.connect();
    else this.fail(error);
  }

  get status(): number {
    return this.#head?.status ?? 0;
  }

  get(name: string): string | null {
    return this.#head?.get(name) ?? null;
  }

  get maxBytes(): number {
    return this.request.maxBytes ?? Number.POSITIVE_INFINITY;
  }

  get announcedBytes(): number {
    // A length may be sent twice: `5, 5` (RFC 9110 8.6).
    const length = Number.parseInt(this.get('content-length') ?? '', 10) || 0;
    return Math.min(length, this.maxBytes);
  }

  read(): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    if (this.queue.byteLength > MAX_WAITING_BYTES) return this.#readPiece();
    const bytes = this.queue.shift();
    if (bytes) {
      this.#deadline.arrived();
      return bytes;
    }
    if (this.#state === 'whole') return undefined;
    if (this.#error) return Promise.reject(this.#error);
    // The connection resumes only after the earlier bytes are taken. A stalled reader therefore holds the
    // rest of one piece, and no second piece.
    this.resume();
    if (this.queue.hasBegun) this.#deadline.waiting();
    return new Promise((resolve, reject) => {
      this.#pendingRead = { resolve, reject };
    });
  }

  readText(maxBytes = this.maxBytes): AnswerText | Promise<AnswerText> {
    return this.#readAll(maxBytes, wholeText);
  }

  readWhole(): WholeBody | Promise<WholeBody> {
    return this.#readAll(this.maxBytes, wholeBody);
  }

  cancel(): void {
    this.fail(new CallEnded('the call was canceled'));
  }

  fail(error: Error): void {
    if (this.#state !== 'open') return;
    this.#state = 'failed';
    this.#error = error;
    this.#deadline.close();
    this.#cancelConnecting?.();
    this.#connection?.abort();
    this.#connection = undefined;
    this.#refuse(error);
    this.#pendingRead?.reject(error);
    this.#collector?.fail(error);
  }

  pause(): void {
    this.#connection?.pause();
  }

  resume(): void {
    this.#connection?.resume();
  }

  /** Keeps a piece until it is read. The host is slowed down if too much waits. */
  #hold(bytes: Buffer, from: number, end: number): void {
    this.queue.push(bytes, from, end);
    if (this.#collector) this.#collector.check();
    else if (this.queue.byteLength > MAX_WAITING_BYTES) {
      this.pause();
      this.#connection?.narrow();
    }
  }

  /** Gives a piece to the reader that waits for it. */
  #handOver(read: PendingRead, bytes: Buffer): void {
    this.#pendingRead = undefined;
    this.queue.hasBegun = true;
    this.#deadline.arrived();
    read.resolve(bytes);
  }

  /** Gives other requests a turn first, since many answers may have arrived at once. */
  #handOverInPieces(read: PendingRead, bytes: Buffer): void {
    this.#pendingRead = undefined;
    this.#hold(bytes, 0, bytes.length);
    void this.#yieldQueue.next().then(() => {
      const first = this.queue.shift(MAX_WAITING_BYTES);
      if (first) this.#handOver(read, first);
    });
  }

  /** Reads a part of much that waits, after other requests had a turn. */
  async #readPiece(): Promise<Uint8Array | undefined> {
    this.#deadline.arrived();
    await this.#yieldQueue.next();
    return this.queue.shift(MAX_WAITING_BYTES);
  }

  #readAll<T extends WholeBody>(
    maxBytes: number,
    convert: (queue: BodyQueue) => T,
  ): T | AnswerText | Promise<T | AnswerText> {
    if (this.queue.byteLength > maxBytes) {
      const start = startOf(this.queue, maxBytes);
      this.cancel();
      return start;
    }
    if (this.#state === 'whole') return convert(this.queue);
    if (this.#error) return Promise.reject(this.#error);
    this.#connection?.widen();
    this.resume();
    const collector = new BodyCollector(this, maxBytes, convert);
    this.#collector = collector;
    collector.check();
    return collector.body;
  }
}
