import type { SqlValue } from '../sql-value.ts';
import { arrayText } from './array-text.ts';

const INITIAL_BYTES = 4 * 1024;
/** A larger buffer is not kept after its message is sent. */
const KEPT_BYTES = 256 * 1024;
const NULL_LENGTH = -1;
const TEXT = 0;
const BINARY = 1;
/** Version 3.0 of the protocol, and the numbers that stand in its place in other first messages. */
const PROTOCOL_VERSION = 0x0003_0000;
const CANCEL_REQUEST = 80_877_102;
const SSL_REQUEST = 80_877_103;

/** Says that a name is that of a statement, and not of a portal. */
const STATEMENT = 'S'.charCodeAt(0);

/** Builds messages of the Postgres protocol one after the other in a buffer that is used again. */
export class MessageWriter {
  #bytes = Buffer.allocUnsafe(INITIAL_BYTES);
  #length = 0;

  /** Returns what was written since the last call. It is valid until the next write. */
  take(): Buffer {
    const bytes = this.#bytes.subarray(0, this.#length);
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = Buffer.allocUnsafe(INITIAL_BYTES);
    this.#length = 0;
    return bytes;
  }

  parse(statement: string, text: string): void {
    const start = this.#begin('P');
    this.#string(statement);
    this.#string(text);
    this.#int16(0);
    this.#end(start);
  }

  /** Asks for the columns of a statement. */
  describe(statement: string): void {
    const start = this.#begin('D');
    this.#byte(STATEMENT);
    this.#string(statement);
    this.#end(start);
  }

  bind(statement: string, values: readonly SqlValue[]): void {
    const start = this.#begin('B');
    this.#string('');
    this.#string(statement);
    this.#formats(values);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    this.#int16(0);
    this.#end(start);
  }

  execute(): void {
    const start = this.#begin('E');
    this.#string('');
    this.#int32(0);
    this.#end(start);
  }

  sync(): void {
    this.#end(this.#begin('S'));
  }

  closeStatement(name: string): void {
    const start = this.#begin('C');
    this.#byte(STATEMENT);
    this.#string(name);
    this.#end(start);
  }

  simpleQuery(text: string): void {
    const start = this.#begin('Q');
    this.#string(text);
    this.#end(start);
  }

  terminate(): void {
    this.#end(this.#begin('X'));
  }

  /** Writes an answer to a request for authentication. */
  password(text: string): void {
    const start = this.#begin('p');
    this.#string(text);
    this.#end(start);
  }

  saslInitial(mechanism: string, text: string): void {
    const start = this.#begin('p');
    this.#string(mechanism);
    this.#int32(Buffer.byteLength(text));
    this.#text(text);
    this.#end(start);
  }

  saslResponse(text: string): void {
    const start = this.#begin('p');
    this.#text(text);
    this.#end(start);
  }

  startup(parameters: Record<string, string>): void {
    const start = this.#beginUntyped(PROTOCOL_VERSION);
    for (const [name, value] of Object.entries(parameters)) {
      this.#string(name);
      this.#string(value);
    }
    this.#byte(0);
    this.#end(start);
  }

  sslRequest(): void {
    this.#end(this.#beginUntyped(SSL_REQUEST));
  }

  cancelRequest(processId: number, secret: Buffer): void {
    const start = this.#beginUntyped(CANCEL_REQUEST);
    this.#int32(processId);
    this.#raw(secret);
    this.#end(start);
  }

  /** Without a format, all values are text. */
  #formats(values: readonly SqlValue[]): void {
    if (!values.some(isBytes)) {
      this.#int16(0);
      return;
    }
    this.#int16(values.length);
    for (const value of values) this.#int16(isBytes(value) ? BINARY : TEXT);
  }

  #value(value: SqlValue): void {
    if (value === null || value === undefined) {
      this.#int32(NULL_LENGTH);
      return;
    }
    const at = this.#length;
    this.#int32(0);
    if (isBytes(value)) this.#raw(value);
    else if (typeof value === 'string') this.#text(value);
    else this.#text(Array.isArray(value) ? arrayText(value) : String(value));
    this.#bytes.writeInt32BE(this.#length - at - 4, at);
  }

  #begin(type: string): number {
    this.#byte(type.charCodeAt(0));
    const start = this.#length;
    this.#int32(0);
    return start;
  }

  #beginUntyped(code: number): number {
    const start = this.#length;
    this.#int32(0);
    this.#int32(code);
    return start;
  }

  #end(start: number): void {
    this.#bytes.writeInt32BE(this.#length - start, start);
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  #int16(value: number): void {
    this.#reserve(2);
    this.#length = this.#bytes.writeUInt16BE(value, this.#length);
  }

  #int32(value: number): void {
    this.#reserve(4);
    this.#length = this.#bytes.writeInt32BE(value, this.#length);
  }

  #string(text: string): void {
    this.#text(text);
    this.#byte(0);
  }

  #text(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  #raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const isBytes = (value: SqlValue): value is Uint8Array => value instanceof Uint8Array;
