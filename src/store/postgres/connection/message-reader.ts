const HEAD_BYTES = 5;

/** Receives a message: its type and where its body is. The bytes are valid during the call only. */
export type MessageHandler = (type: number, bytes: Buffer, start: number, end: number) => void;

/** Cuts the bytes of a connection into messages. */
export class MessageReader {
  #parts: Buffer[] = [];
  #length = 0;
  #needed = 0;

  read(chunk: Buffer, handle: MessageHandler): void {
    const bytes = this.#join(chunk);
    if (!bytes) return;
    let at = 0;
    while (bytes.length - at >= HEAD_BYTES) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      if (end > bytes.length) break;
      handle(bytes[at] ?? 0, bytes, at + HEAD_BYTES, end);
      at = end;
    }
    if (at < bytes.length) this.#keep(bytes.subarray(at));
  }

  /** Returns undefined while the bytes end before the message that they begin. */
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

  #keep(rest: Buffer): void {
    this.#parts = [Buffer.from(rest)];
    this.#length = rest.length;
    this.#needed = rest.length < HEAD_BYTES ? HEAD_BYTES : 1 + rest.readUInt32BE(1);
  }
}
