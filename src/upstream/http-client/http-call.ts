import type { StreamedBody } from '../../base/forms/outgoing-form.ts';
import type { YieldQueue } from '../../base/lib/yield-queue.ts';
import type { AnswerHead } from './answer-head.ts';
import { BodyQueue } from './body-queue.ts';
import { CallDeadline } from './call-deadline.ts';
import type { DueWatch } from './due-watch.ts';
import {
  type AnswerText,
  CallEnded,
  type HttpAnswer,
  type HttpRequest,
  LARGE_ANSWER_BYTES,
  NoMemoryForAnswer,
  type WholeBody,
} from './http-answer.ts';
import { traceLines } from './trace-fields.ts';
import type { ConnectionCall, UpstreamConnection } from './upstream-connection.ts';

/**
 * The most bytes that wait for a slow reader, besides the piece that has just arrived.
 * The rest waits in the kernel and at the host. A larger piece is read in parts of this size, and other
 * requests get a turn in between.
 */
const MAX_WAITING_BYTES = 32 * 1024;
/** The step in which memory for a whole answer is booked, from the second step on. */
const STEP_BYTES = 512 * 1024;

/** Gives a call its own connection. The returned function cancels the connecting. */
export type Connect = (call: HttpCall) => () => void;

export type CallParts = { connect: Connect; dues: DueWatch; yieldQueue: YieldQueue };

type Waiter = { resolve(value: Uint8Array | undefined): void; reject(error: Error): void };
type Collector = {
  maxBytes: number;
  /** Converts everything that has arrived. */
  take(queue: BodyQueue): WholeBody;
  resolve(body: WholeBody): void;
  reject(error: Error): void;
};

const takeText = (queue: BodyQueue): AnswerText => ({ text: queue.takeText(), isCut: false });
const takeWhole = (queue: BodyQueue): WholeBody =>
  queue.byteLength < LARGE_ANSWER_BYTES ? takeText(queue) : { pieces: queue.takePieces() };

/** One request with its answer. Both are one object, so that a call costs little more than its bytes. */
export class HttpCall implements HttpAnswer, ConnectionCall {
  readonly begun: Promise<HttpAnswer>;
  readonly request: HttpRequest;
  bytes: string | Buffer;
  readonly byteLength: number;
  readonly #connect: Connect;
  readonly #yieldQueue: YieldQueue;
  readonly #deadline: CallDeadline;
  readonly #queue = new BodyQueue();
  readonly #begin: (answer: HttpAnswer) => void;
  readonly #refuse: (error: Error) => void;
  #connection: UpstreamConnection | undefined;
  #callOff: (() => void) | undefined;
  #head: AnswerHead | undefined;
  #state: 'open' | 'whole' | 'failed' = 'open';
  #error: Error | undefined;
  #waiter: Waiter | undefined;
  #collector: Collector | undefined;
  /** The bytes of a whole answer for which memory is booked. */
  #reservedBytes = STEP_BYTES;

  constructor(request: HttpRequest, { connect, dues, yieldQueue }: CallParts) {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    this.begun = promise;
    this.#begin = resolve;
    this.#refuse = reject;
    this.request = request;
    const { head, body, trace, streamed } = request;
    const ahead = Buffer.byteLength(body);
    const length = streamed ? streamed.byteLength : ahead;
    const bytes = `${head.text}${length}\r\n${trace ? traceLines(trace) : ''}\r\n`;
    this.byteLength = bytes.length + ahead;
    this.bytes = head.isAscii
      ? bytes + body
      : Buffer.concat([Buffer.from(bytes, 'latin1'), Buffer.from(body)]);
    this.#connect = connect;
    this.#yieldQueue = yieldQueue;
    this.#deadline = new CallDeadline(request, dues, this);
  }

  get streamed(): StreamedBody | undefined {
    return this.request.streamed;
  }

  advanced(isWhole: boolean): void {
    if (this.#state !== 'open' || this.#head) return;
    if (isWhole) this.#deadline.sent();
    else this.#deadline.sending();
  }

  get status(): number {
    return this.#head?.status ?? 0;
  }

  get maxBytes(): number {
    return this.request.maxBytes ?? Number.POSITIVE_INFINITY;
  }

  get(name: string): string | null {
    return this.#head?.get(name) ?? null;
  }

  open(): void {
    if (this.#state !== 'open') return;
    this.#deadline.connecting();
    this.#callOff = this.#connect(this);
  }

  ride(connection: UpstreamConnection): void {
    if (this.#state !== 'open') {
      connection.terminate();
      return;
    }
    if (this.#callOff) this.#deadline.connected();
    this.#callOff = undefined;
    this.#connection = connection;
    connection.start(this);
  }

  head(head: AnswerHead): void {
    this.#head = head;
    this.bytes = ''; // it is not sent again
    this.request.body = '';
    if (this.streamed && head.status >= 300) this.#connection?.stopSending();
    this.#begin(this);
  }

  body(bytes: Buffer, from: number, end: number): void {
    if (!this.#waiter) this.#hold(bytes, from, end);
    else if (end - from <= MAX_WAITING_BYTES) this.#handOver(this.#waiter, bytes.subarray(from, end));
    else this.#handOverInPieces(this.#waiter, bytes.subarray(from, end));
  }

  /** Gives other requests a turn first, since many answers may have arrived at once. */
  #handOverInPieces(waiter: Waiter, bytes: Buffer): void {
    this.#waiter = undefined;
    this.#hold(bytes, 0, bytes.length);
    void this.#yieldQueue.next().then(() => {
      const first = this.#queue.shift(MAX_WAITING_BYTES);
      if (first) this.#handOver(waiter, first);
    });
  }

  #hold(bytes: Buffer, from: number, end: number): void {
    this.#queue.push(bytes, from, end);
    const { byteLength } = this.#queue;
    if (this.#collector) {
      if (byteLength > this.#collector.maxBytes) this.#cut(this.#collector);
      else if (byteLength > this.#reservedBytes) this.#reserveMemory();
    } else if (byteLength > MAX_WAITING_BYTES) {
      this.#connection?.pause();
      this.#connection?.narrow();
    }
  }

  /**
   * Books memory before reading on. An answer of known length books all of it at once. Otherwise several
   * half-booked answers would wait for each other.
   */
  #reserveMemory(): void {
    const announced = Math.min(Number(this.get('content-length') ?? 0), this.maxBytes);
    const bytes = Math.max(this.#queue.byteLength + STEP_BYTES, announced) - this.#reservedBytes;
    this.#reservedBytes += bytes;
    const making = this.request.reserveMemory?.(bytes) ?? true;
    if (making === true) return;
    this.#connection?.pause();
    void Promise.resolve(making).then((isReserved) => {
      if (isReserved) this.#connection?.resume();
      else this.fail(new NoMemoryForAnswer('not enough memory for the answer'));
    });
  }

  end(): void {
    this.#state = 'whole';
    this.#connection = undefined;
    this.#deadline.close();
    this.#waiter?.resolve(undefined);
    this.#collector?.resolve(this.#collector.take(this.#queue));
  }

  onLost(error: Error, isUnheard: boolean): void {
    this.#connection = undefined;
    if (isUnheard) this.open();
    else this.fail(error);
  }

  fail(error: Error): void {
    if (this.#state !== 'open') return;
    this.#state = 'failed';
    this.#error = error;
    this.#deadline.close();
    this.#callOff?.();
    this.#connection?.abort();
    this.#connection = undefined;
    this.#refuse(error);
    this.#waiter?.reject(error);
    this.#collector?.reject(error);
  }

  read(): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    if (this.#queue.byteLength > MAX_WAITING_BYTES) return this.#readPiece();
    const bytes = this.#queue.shift();
    if (bytes) {
      this.#deadline.arrived();
      return bytes;
    }
    if (this.#state === 'whole') return undefined;
    if (this.#error) return Promise.reject(this.#error);
    // Resumes only after the earlier bytes are taken, so that a stalled reader holds the rest
    // of one piece and no second one.
    this.#connection?.resume();
    if (this.#queue.hasBegun) this.#deadline.waiting();
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
    });
  }

  async #readPiece(): Promise<Uint8Array | undefined> {
    this.#deadline.arrived();
    await this.#yieldQueue.next();
    return this.#queue.shift(MAX_WAITING_BYTES);
  }

  readText(maxBytes = this.maxBytes): AnswerText | Promise<AnswerText> {
    return this.#readAll(maxBytes, takeText) as AnswerText | Promise<AnswerText>;
  }

  readWhole(): WholeBody | Promise<WholeBody> {
    return this.#readAll(this.maxBytes, takeWhole);
  }

  #readAll(maxBytes: number, take: Collector['take']): WholeBody | Promise<WholeBody> {
    if (this.#queue.byteLength > maxBytes) return this.#takeStart(maxBytes);
    if (this.#state === 'whole') return take(this.#queue);
    if (this.#error) return Promise.reject(this.#error);
    this.#connection?.widen();
    this.#connection?.resume();
    return new Promise((resolve, reject) => {
      this.#collector = { maxBytes, take, resolve, reject };
      if (this.#queue.byteLength > this.#reservedBytes) this.#reserveMemory();
    });
  }

  cancel(): void {
    this.fail(new CallEnded('the call was canceled'));
  }

  #handOver(waiter: Waiter, bytes: Buffer): void {
    this.#waiter = undefined;
    this.#queue.hasBegun = true;
    this.#deadline.arrived();
    waiter.resolve(bytes);
  }

  #cut({ maxBytes, resolve }: Collector): void {
    this.#collector = undefined;
    resolve(this.#takeStart(maxBytes));
  }

  #takeStart(maxBytes: number): AnswerText {
    const text = this.#queue.takeText(maxBytes);
    this.cancel();
    return { text, isCut: true };
  }
}
