import { FormFault } from './form-fault.ts';
import { type FormPartHead, readPartHead } from './read-part-head.ts';

/** Receives the parts of a form while it arrives. The bytes are valid only during the call. */
export type FormSink = {
  begin(head: FormPartHead): void;
  data(bytes: Uint8Array): void;
  end(): void;
};

const MAX_HEAD_BYTES = 8 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const CR = 13;
const LF = 10;
const DASH = 45;
const TAB = 9;
const SPACE = 32;

type State = 'preamble' | 'delimiter' | 'head' | 'data' | 'epilogue';

/**
 * Splits a body of `multipart/form-data` (RFC 7578) into its parts, however it is cut into chunks. It keeps
 * no more than the beginning of a delimiter, or the header lines of one part. Bytes before the first
 * delimiter and after the last one are ignored.
 */
export class FormParser {
  readonly #sink: FormSink;
  readonly #delimiter: Buffer;
  #state: State = 'preamble';
  /**
   * Bytes that have arrived and are not consumed. A line break precedes the body, so that its first delimiter
   * is like all others.
   */
  #rest: Buffer = Buffer.from('\r\n');
  /** True if the last step has changed the state, so that the next one can continue with the same bytes. */
  #hasMoved = false;

  constructor(boundary: string, sink: FormSink) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
    this.#sink = sink;
  }

  /** True once the last delimiter has arrived. */
  get isDone(): boolean {
    return this.#state === 'epilogue';
  }

  push(chunk: Uint8Array): void {
    if (this.#state === 'epilogue') return;
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const unread = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    let at = 0;
    do at += this.#step(unread.subarray(at));
    while (this.#hasMoved && !this.isDone && at < unread.length);
    this.#rest = this.isDone ? Buffer.alloc(0) : Buffer.from(unread.subarray(at));
  }

  /** Throws if the form has not ended. */
  finish(): void {
    if (!this.isDone) throw new FormFault('The form ended before its closing boundary.');
  }

  #move(state: State): void {
    this.#state = state;
    this.#hasMoved = true;
  }

  /** Consumes what it can of the bytes, and returns its length. */
  #step(bytes: Buffer): number {
    this.#hasMoved = false;
    switch (this.#state) {
      case 'delimiter':
        return this.#takeLineEnd(bytes);
      case 'head':
        return this.#takeHead(bytes);
      case 'preamble':
      case 'data':
        return this.#takeContent(bytes);
      case 'epilogue':
        return bytes.length;
    }
  }

  #takeContent(bytes: Buffer): number {
    const isData = this.#state === 'data';
    const place = bytes.indexOf(this.#delimiter);
    const end = place < 0 ? Math.max(0, bytes.length - this.#delimiter.length + 1) : place;
    if (isData && end > 0) this.#sink.data(bytes.subarray(0, end));
    if (place < 0) return end;
    if (isData) this.#sink.end();
    this.#move('delimiter');
    return place + this.#delimiter.length;
  }

  /** Consumes what follows a delimiter: blanks and a line break, or two dashes after the last one. */
  #takeLineEnd(bytes: Buffer): number {
    if (bytes[0] === DASH) {
      if (bytes.length < 2) return 0;
      if (bytes[1] !== DASH) throw notADelimiter();
      this.#move('epilogue');
      return 2;
    }
    let at = 0;
    while (bytes[at] === SPACE || bytes[at] === TAB) at++;
    if (at > MAX_HEAD_BYTES) throw notADelimiter();
    if (at + 1 >= bytes.length) {
      if (at < bytes.length && bytes[at] !== CR) throw notADelimiter();
      return 0;
    }
    if (bytes[at] !== CR || bytes[at + 1] !== LF) throw notADelimiter();
    this.#move('head');
    return at; // the line break stays, so that a part without header lines ends like any other
  }

  #takeHead(bytes: Buffer): number {
    const end = bytes.indexOf(HEAD_END);
    if (end > MAX_HEAD_BYTES || (end < 0 && bytes.length > MAX_HEAD_BYTES))
      throw new FormFault('The header of a part of the form is too long.');
    if (end < 0) return 0;
    this.#sink.begin(readPartHead(bytes.subarray(2, Math.max(2, end))));
    this.#move('data');
    return end + HEAD_END.length;
  }
}

const notADelimiter = () => new FormFault('A boundary of the form is followed by other text.');
