import { crc32 } from 'node:zlib';
import type { Frame } from '../../contract/frame.ts';
import { EXCEPTION } from './stream-error.ts';

/** The total length, the length of the headers, and the checksum of both, as three numbers of four bytes. */
const PRELUDE_BYTES = 12;
const HEADERS_LENGTH_OFFSET = 4;
const PRELUDE_CHECKSUM_OFFSET = 8;
const CHECKSUM_BYTES = 4;
const MIN_BYTES = PRELUDE_BYTES + CHECKSUM_BYTES;
/** AWS's own limit for a message. Without it a false length could fill the memory. */
const MAX_MESSAGE_BYTES = 24 * 1024 * 1024;
/** AWS's own limit for the headers of a message. */
const MAX_HEADER_BYTES = 128 * 1024;

const STRING_TYPE = 7;
const BYTES_TYPE = 6;
/** The size of a header value by its type number. Strings and byte arrays state their own length. */
const VALUE_BYTES: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };

/**
 * Splits `application/vnd.amazon.eventstream` into frames, wherever the bytes are cut. Chunks are kept as
 * they arrive and joined once a message is complete, so no byte is copied more than twice.
 * https://smithy.io/2.0/aws/amazon-eventstream.html
 */
export class AwsEventStream {
  #chunks: Buffer[] = [];
  #length = 0;
  /** The total length of the current message, once its prelude has arrived. */
  #messageLength: number | undefined;

  /** Returns the frames that the chunk completes. Throws SyntaxError if the bytes are not a valid message. */
  push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    this.#chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    this.#length += chunk.length;
    while (this.#length >= (this.#messageLength ?? PRELUDE_BYTES)) {
      const bytes = this.#join();
      if (this.#messageLength === undefined) this.#messageLength = messageLength(bytes);
      else frames.push(frameOf(this.#cutMessage(bytes, this.#messageLength)));
    }
    return frames;
  }

  /** Ends the stream. Throws if the stream ends within a message. */
  end(): Frame[] {
    if (this.#length > 0) throw new SyntaxError('the stream ended within a message');
    return [];
  }

  /** Returns the message at the start of the bytes, and keeps the rest for the next one. */
  #cutMessage(bytes: Buffer, length: number): Buffer {
    const unread = bytes.subarray(length);
    this.#chunks = unread.length > 0 ? [unread] : [];
    this.#length = unread.length;
    this.#messageLength = undefined;
    return bytes.subarray(0, length);
  }

  #join(): Buffer {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#chunks = [bytes];
    return bytes;
  }
}

/** Reads the length of a message from its prelude. */
function messageLength(bytes: Buffer): number {
  const total = bytes.readUInt32BE(0);
  const headers = bytes.readUInt32BE(HEADERS_LENGTH_OFFSET);
  const checked = bytes.subarray(0, PRELUDE_CHECKSUM_OFFSET);
  if (crc32(checked) !== bytes.readUInt32BE(PRELUDE_CHECKSUM_OFFSET)) {
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
  const payloadStart = PRELUDE_BYTES + message.readUInt32BE(HEADERS_LENGTH_OFFSET);
  const headers = readHeaders(checked.subarray(PRELUDE_BYTES, payloadStart));
  const data = checked.toString('utf8', payloadStart);
  switch (headers.get(':message-type')) {
    case 'exception':
      return { event: EXCEPTION + (headers.get(':exception-type') ?? ''), data };
    case 'error': {
      const error = { message: headers.get(':error-message') ?? data };
      return { event: EXCEPTION + (headers.get(':error-code') ?? ''), data: JSON.stringify(error) };
    }
    default:
      return { event: headers.get(':event-type'), data };
  }
}

/** Reads the headers that hold text and skips the others. */
function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let headerStart = 0;
  try {
    while (headerStart < bytes.length) {
      const nameStart = headerStart + 1;
      const nameEnd = nameStart + bytes.readUInt8(headerStart);
      const type = bytes.readUInt8(nameEnd);
      const isSized = type === STRING_TYPE || type === BYTES_TYPE;
      const valueStart = nameEnd + (isSized ? 3 : 1);
      const valueBytes = isSized ? bytes.readUInt16BE(nameEnd + 1) : VALUE_BYTES[type];
      if (valueBytes === undefined) throw new RangeError('a header has an unknown type');
      const valueEnd = valueStart + valueBytes;
      if (valueEnd > bytes.length) throw new RangeError('a header is truncated');
      if (type === STRING_TYPE) {
        const name = bytes.toString('utf8', nameStart, nameEnd);
        headers.set(name, bytes.toString('utf8', valueStart, valueEnd));
      }
      headerStart = valueEnd;
    }
  } catch (error) {
    throw new SyntaxError('the headers of a message cannot be read', { cause: error });
  }
  return headers;
}
