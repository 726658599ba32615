/** The type and the length of a message. */
const HEAD_BYTES = 5;
/** The length counts itself. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 256 * 1024 * 1024;

/** Receives a message: its type and where its body is. The bytes are valid during the call only. */
export type MessageHandler = (type: number, bytes: Buffer, start: number, end: number) => void;

/** Cuts the bytes of a connection into messages. Throws if they are not messages. */
export class MessageReader {
  #parts: Buffer[] = [];
  /** The number of bytes in `#parts`. */
  #length = 0;
  /** The number of bytes without which the message that has begun cannot be read. */
  #needed = 0;

  read(chunk: Buffer, handle: MessageHandler): void {
    const bytes = this.#join(chunk);
    if (!bytes) return;
    let offset = 0;
    while (bytes.length - offset >= HEAD_BYTES) {
      const end = offset + 1 + lengthAt(bytes, offset);
      if (end > bytes.length) break;
      handle(bytes[offset]!, bytes, offset + HEAD_BYTES, end);
      offset = end;
    }
    if (offset < bytes.length) this.#keep(bytes.subarray(offset));
  }

  /** Joins a chunk to the bytes before it. Returns undefined until the message that they begin is whole. */
  #join(chunk: Buffer): Buffer | undefined {
    if (this.#length === 0) return chunk;
    this.#parts.push(Buffer.from(chunk));
    this.#length += chunk.length;
    if (this.#length < this.#needed) return undefined;
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    return bytes;
  }

  /** Keeps the beginning of a message until the rest arrives. */
  #keep(beginning: Buffer): void {
    this.#parts = [Buffer.from(beginning)];
    this.#length = beginning.length;
    this.#needed = beginning.length < HEAD_BYTES ? HEAD_BYTES : 1 + lengthAt(beginning, 0);
  }
}

/** Returns the length of the message at an offset. Throws if no message of the server has this length. */
function lengthAt(bytes: Buffer, offset: number): number {
  const length = bytes.readUInt32BE(offset + 1);
  if (length < MIN_LENGTH || length > MAX_LENGTH) throw new Error('the server sent an invalid message');
  return length;
}
