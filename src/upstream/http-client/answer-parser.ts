import { AnswerHead, MalformedAnswer } from './answer-head.ts';
import { type BodySink, ChunkedDecoder } from './chunked-decoder.ts';

/** Receives the head of an answer, and then its body. */
export type AnswerSink = BodySink & { onHead(head: AnswerHead): void };

const MAX_HEAD_BYTES = 64 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');

/** A length that is short enough to be a safe integer. */
const PLAIN_LENGTH = /^\d{1,15}$/;

/** Parses one answer to a POST (RFC 9112 6), wherever the pieces are cut. Throws on malformed input. */
export class AnswerParser {
  readonly #sink: AnswerSink;
  #state: 'head' | 'length' | 'chunks' | 'to-close' | 'done' = 'head';
  /** The bytes of a head that arrived in several pieces. */
  #held: Buffer | undefined;
  #headBytes = 0;
  #left = 0;
  #chunks = new ChunkedDecoder();
  #isLast = true;
  #keepAlive: string | null = null;

  constructor(sink: AnswerSink) {
    this.#sink = sink;
  }

  /** Prepares the parser for the next answer. */
  begin(): void {
    this.#state = 'head';
    this.#held = undefined;
    this.#headBytes = 0;
  }

  get isDone(): boolean {
    return this.#state === 'done';
  }

  /** Reports whether this was the last answer on its connection. */
  get isLast(): boolean {
    return this.#isLast;
  }

  /** The parameters of the `keep-alive` field, if present. */
  get keepAlive(): string | null {
    return this.#keepAlive;
  }

  /** Parses the bytes, and returns how many of them follow the end of the answer. */
  push(bytes: Buffer): number {
    let at = 0;
    let all = bytes;
    while (this.#state === 'head') {
      if (this.#held) {
        all = Buffer.concat([this.#held, all.subarray(at)]);
        at = 0;
      }
      const next = this.#takeHead(all, at);
      if (next < 0) return 0;
      at = next;
    }
    if (at < all.length) at = this.#takeBody(all, at);
    return all.length - at;
  }

  /** Ends the input, since the host has closed its side. */
  finish(): void {
    if (this.#state === 'to-close') this.#state = 'done';
    if (this.#state !== 'done') throw new MalformedAnswer('incomplete response');
  }

  #takeHead(bytes: Buffer, from: number): number {
    const searchFrom = this.#held ? Math.max(from, this.#held.length - 3) : from;
    const end = bytes.indexOf(HEAD_END, searchFrom);
    const length = (end < 0 ? bytes.length : end + 4) - from;
    if (this.#headBytes + length > MAX_HEAD_BYTES) throw new MalformedAnswer('response head too large');
    this.#held = undefined;
    if (end < 0) {
      this.#held = bytes.subarray(from);
      if (!mayBeHead(this.#held)) throw new MalformedAnswer('invalid response head');
      return -1;
    }
    this.#headBytes += length;
    const head = new AnswerHead(bytes.toString('latin1', from, end + 2));
    if (head.status === 101) throw new MalformedAnswer('unrequested protocol switch');
    if (head.status >= 200) this.#begin(head);
    return end + 4;
  }

  #begin(head: AnswerHead): void {
    const connection = head.get('connection')?.toLowerCase() ?? '';
    this.#isLast = head.isHttp10 ? !/\bkeep-alive\b/.test(connection) : /\bclose\b/.test(connection);
    this.#keepAlive = head.get('keep-alive');
    this.#state = this.#framing(head);
    this.#sink.onHead(head);
  }

  #framing(head: AnswerHead): 'length' | 'chunks' | 'to-close' | 'done' {
    if (head.status === 204 || head.status === 304) return 'done';
    const coding = head.get('transfer-encoding');
    const length = head.get('content-length');
    if (coding !== null) {
      if (coding.toLowerCase() !== 'chunked') throw new MalformedAnswer('unsupported transfer-encoding');
      // An answer with both fields can be used to smuggle a second answer past a proxy that reads the other
      // one.
      this.#isLast ||= length !== null;
      this.#chunks = new ChunkedDecoder();
      return 'chunks';
    }
    if (length === null) {
      this.#isLast = true;
      return 'to-close';
    }
    this.#left = parseLength(length);
    return this.#left === 0 ? 'done' : 'length';
  }

  #takeBody(bytes: Buffer, from: number): number {
    if (this.#state === 'chunks') {
      const end = this.#chunks.push(bytes, from, this.#sink);
      if (this.#chunks.isDone) this.#state = 'done';
      return end;
    }
    if (this.#state === 'done') return from;
    const end = this.#state === 'length' ? Math.min(from + this.#left, bytes.length) : bytes.length;
    if (this.#state === 'length') {
      this.#left -= end - from;
      if (this.#left === 0) this.#state = 'done';
    }
    this.#sink.onBody(bytes, from, end);
    return end;
  }
}

const HEAD_START = Buffer.from('HTTP/1.');

/**
 * Rejects other protocols and other line breaks at once, because the rest of the head cannot make it valid.
 */
const mayBeHead = (bytes: Buffer): boolean =>
  !bytes.includes('\n\n') &&
  bytes.subarray(0, HEAD_START.length).equals(HEAD_START.subarray(0, bytes.length));

/** Parses a content-length. The same value may be repeated (RFC 9110 8.6). */
function parseLength(text: string): number {
  if (PLAIN_LENGTH.test(text)) return Number(text);
  const [first = '', ...others] = text.split(',').map((part) => part.trim());
  const length = Number(first);
  const isLength = /^\d+$/.test(first) && Number.isSafeInteger(length);
  if (isLength && others.every((other) => other === first)) return length;
  throw new MalformedAnswer('invalid content-length');
}
