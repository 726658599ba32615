import { crc32 } from 'node:zlib';
import type { Frame } from '../../contract/codec.ts';
import { EXCEPTION } from './stream-error.ts';

/** The total length, the length of the headers, and the checksum of both. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
const MIN_BYTES = PRELUDE_BYTES + CHECKSUM_BYTES;
/** AWS's own limit for a message. Without it a false length could fill the memory. */
const MAX_MESSAGE_BYTES = 24 * 1024 * 1024;
/** AWS's own limit for the headers of a message. */
const MAX_HEADER_BYTES = 128 * 1024;

const STRING_TYPE = 7;
const BYTES_TYPE = 6;
/** The size of a header value by its type number. Strings and byte arrays state their own length. */
const VALUE_BYTES: Record<number, number> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };

/**
 * Splits `application/vnd.amazon.eventstream` into frames, wherever the bytes are cut. Chunks are kept as
 * they arrive and joined once a message is complete, so no byte is copied more than twice.
 * https://smithy.io/2.0/aws/amazon-eventstream.html
 */
export class AwsEventStream {
  #chunks: Uint8Array[] = [];
  #length = 0;
  /** The total length of the current message, once its prelude has arrived. */
  #wanted: number | undefined;

  /** Returns the frames that the chunk completes. Throws SyntaxError if the bytes are not a valid message. */
  push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#length >= (this.#wanted ?? PRELUDE_BYTES)) {
      const bytes = this.#join();
      if (this.#wanted === undefined) this.#wanted = messageBytes(bytes);
      else this.#take(bytes, this.#wanted, frames);
    }
    return frames;
  }

  /** Ends the stream. Throws if the stream ends within a message. */
  end(): Frame[] {
    if (this.#length > 0) throw new SyntaxError('the stream ended within a message');
    return [];
  }

  #take(bytes: Buffer, length: number, frames: Frame[]): void {
    frames.push(frameOf(bytes.subarray(0, length)));
    const unread = bytes.subarray(length);
    this.#chunks = unread.length > 0 ? [unread] : [];
    this.#length = unread.length;
    this.#wanted = undefined;
  }

  #join(): Buffer {
    const [first] = this.#chunks as [Uint8Array, ...Uint8Array[]];
    const bytes =
      this.#chunks.length > 1
        ? Buffer.concat(this.#chunks)
        : Buffer.from(first.buffer, first.byteOffset, first.length);
    this.#chunks = [bytes];
    return bytes;
  }
}

function messageBytes(bytes: Buffer): number {
  const total = bytes.readUInt32BE(0);
  const headers = bytes.readUInt32BE(4);
  if (crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8)) {
    throw new SyntaxError('the checksum of a message prelude does not match');
  }
  if (total > MAX_MESSAGE_BYTES || headers > MAX_HEADER_BYTES || total < MIN_BYTES + headers) {
    throw new SyntaxError(`invalid message length: ${total} bytes with ${headers} bytes of headers`);
  }
  return total;
}

function frameOf(message: Buffer): Frame {
  const checked = message.subarray(0, -CHECKSUM_BYTES);
  if (crc32(checked) !== message.readUInt32BE(checked.length)) {
    throw new SyntaxError('the checksum of a message does not match');
  }
  const payloadStart = PRELUDE_BYTES + message.readUInt32BE(4);
  const headers = readHeaders(checked.subarray(PRELUDE_BYTES, payloadStart));
  const data = checked.toString('utf8', payloadStart);
  switch (headers.get(':message-type')) {
    case 'exception':
      return { event: EXCEPTION + (headers.get(':exception-type') ?? ''), data };
    case 'error': {
      const message = headers.get(':error-message') ?? data;
      return { event: EXCEPTION + (headers.get(':error-code') ?? ''), data: JSON.stringify({ message }) };
    }
    default:
      return { event: headers.get(':event-type'), data };
  }
}

/** Reads the headers that hold text and skips the others. */
function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  try {
    while (at < bytes.length) {
      const nameEnd = at + 1 + bytes.readUInt8(at);
      const type = bytes.readUInt8(nameEnd);
      const isSized = type === STRING_TYPE || type === BYTES_TYPE;
      const start = nameEnd + (isSized ? 3 : 1);
      const length = isSized ? bytes.readUInt16BE(nameEnd + 1) : VALUE_BYTES[type];
      if (length === undefined || start + length > bytes.length)
        throw new RangeError('a header is truncated');
      if (type === STRING_TYPE) {
        headers.set(bytes.toString('utf8', at + 1, nameEnd), bytes.toString('utf8', start, start + length));
      }
      at = start + length;
    }
  } catch (error) {
    throw new SyntaxError('the headers of a message cannot be read', { cause: error });
  }
  return headers;
}
