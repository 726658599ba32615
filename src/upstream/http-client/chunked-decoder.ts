import { MalformedAnswer } from './answer-head.ts';

type State = 'size' | 'extension' | 'size-end' | 'data' | 'data-cr' | 'data-lf' | TrailerState;
type TrailerState = 'trailer-start' | 'trailer' | 'trailer-end' | 'last' | 'done';

const CR = 13;
const LF = 10;
/** A size above 2^52 is invalid. */
const MAX_SIZE_DIGITS = 13;
const MAX_EXTENSION_BYTES = 4 * 1024;
const MAX_TRAILER_BYTES = 64 * 1024;

/** Receives ranges of body bytes. */
export type BodySink = { onBody(bytes: Buffer, from: number, end: number): void };

/** Decodes the body of a chunked answer (RFC 9112 7.1). Extensions and trailers are read and ignored. */
export class ChunkedDecoder {
  #state: State = 'size';
  #left = 0;
  #digits = 0;
  #extensionBytes = 0;
  #trailerBytes = 0;

  get isDone(): boolean {
    return this.#state === 'done';
  }

  /** Decodes the bytes from a position on, and returns where the body ends. */
  push(bytes: Buffer, from: number, sink: BodySink): number {
    let at = from;
    while (at < bytes.length && this.#state !== 'done') {
      if (this.#state !== 'data') {
        this.#step(bytes[at++]!);
        continue;
      }
      const end = Math.min(at + this.#left, bytes.length);
      this.#left -= end - at;
      if (this.#left === 0) this.#state = 'data-cr';
      sink.onBody(bytes, at, end);
      at = end;
    }
    return at;
  }

  #step(byte: number): void {
    const state = this.#state;
    if (state === 'size') this.#size(byte);
    else if (state === 'extension') this.#extension(byte);
    else if (state === 'size-end') this.#expect(byte, LF, this.#left === 0 ? 'trailer-start' : 'data');
    else if (state === 'data-cr') this.#expect(byte, CR, 'data-lf');
    else if (state === 'data-lf') this.#nextChunk(byte);
    else this.#trailer(byte);
  }

  #nextChunk(byte: number): void {
    this.#digits = 0;
    this.#expect(byte, LF, 'size');
  }

  #extension(byte: number): void {
    if (byte === CR) this.#state = 'size-end';
    else if (byte === LF || ++this.#extensionBytes > MAX_EXTENSION_BYTES) throw malformed();
  }

  #size(byte: number): void {
    const digit = hexDigit(byte);
    if (digit >= 0) {
      if (++this.#digits > MAX_SIZE_DIGITS) throw malformed();
      this.#left = this.#left * 16 + digit;
      return;
    }
    if (this.#digits === 0) throw malformed();
    if (byte === CR) this.#state = 'size-end';
    else if (byte === 0x3b || byte === 0x20 || byte === 0x09) this.#state = 'extension';
    else throw malformed();
  }

  #trailer(byte: number): void {
    if (this.#state === 'last') this.#expect(byte, LF, 'done');
    else if (this.#state === 'trailer-end') this.#expect(byte, LF, 'trailer-start');
    else if (byte === CR) this.#state = this.#state === 'trailer-start' ? 'last' : 'trailer-end';
    else if (byte === LF || ++this.#trailerBytes > MAX_TRAILER_BYTES) throw malformed();
    else this.#state = 'trailer';
  }

  #expect(byte: number, expected: number, next: State): void {
    if (byte !== expected) throw malformed();
    this.#state = next;
  }
}

const malformed = () => new MalformedAnswer('invalid chunk');

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lowered = byte | 0x20;
  return lowered >= 0x61 && lowered <= 0x66 ? lowered - 0x57 : -1;
}
