/**
 * The number of pieces to hold before they are joined. A host may send pieces of one byte, and each costs a
 * hundred bytes until then.
 */
const MAX_PIECES = 1_024;
/** Pieces that are larger on average are not joined, since the copy would take long. */
const SMALL_PIECES_BYTES = MAX_PIECES * 1_024;
const BYTE_ORDER_MARK = 0xfeff;

/** Holds the part of a body that has arrived and was not read yet. */
export class BodyQueue {
  /**
   * For a body in one piece, which is the usual case, only its range is stored. A view would cost more than
   * decoding its text.
   */
  #only: Buffer | undefined;
  #from = 0;
  #end = 0;
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  /** Joined blocks of small pieces. */
  #blocks: Buffer[] = [];
  byteLength = 0;
  hasBegun = false;

  push(bytes: Buffer, from: number, end: number): void {
    this.hasBegun = true;
    const isFirst = this.byteLength === 0;
    this.byteLength += end - from;
    if (isFirst) {
      this.#only = bytes;
      this.#from = from;
      this.#end = end;
      return;
    }
    if (this.#only) this.#pieces.push(this.#takeOnly(this.#only));
    this.#pieces.push(bytes.subarray(from, end));
    this.#pieceBytes += end - from;
    if (this.#pieces.length >= MAX_PIECES) this.#endBlock();
  }

  #endBlock(): void {
    const isSmall = this.#pieceBytes <= SMALL_PIECES_BYTES;
    if (isSmall) this.#blocks.push(Buffer.concat(this.#pieces));
    else for (const piece of this.#pieces) this.#blocks.push(piece);
    this.#pieces = [];
    this.#pieceBytes = 0;
  }

  /** Takes the first bytes of the queue. */
  shift(maxBytes = Number.POSITIVE_INFINITY): Buffer | undefined {
    if (this.byteLength === 0) return undefined;
    if (this.byteLength > maxBytes && !this.#isCutTo(maxBytes)) this.#cut(maxBytes);
    if (this.#isCutTo(maxBytes)) return this.#takeBlock();
    const all = this.#only ?? this.#join();
    this.byteLength = 0;
    return this.#takeOnly(all);
  }

  #isCutTo(maxBytes: number): boolean {
    return !this.#only && this.#blocks.length > 0 && this.#blocks[0]!.length <= maxBytes;
  }

  /**
   * Copies each block, so that a slow reader keeps only its unread bytes in memory, and not the whole piece.
   */
  #cut(maxBytes: number): void {
    const all = this.#only ?? this.#join();
    for (let from = this.#from; from < this.#end; from += maxBytes)
      this.#blocks.push(Buffer.from(all.subarray(from, Math.min(this.#end, from + maxBytes))));
    this.#only = undefined;
  }

  #takeBlock(): Buffer {
    const block = this.#blocks.shift()!;
    this.byteLength -= block.length;
    return block;
  }

  #join(): Buffer {
    const all = Buffer.concat([...this.#blocks, ...this.#pieces]);
    this.#forget();
    this.#only = all;
    this.#from = 0;
    this.#end = all.length;
    return all;
  }

  #forget(): void {
    this.#blocks = [];
    this.#pieces = [];
    this.#pieceBytes = 0;
  }

  /** Takes all pieces without joining them. */
  takePieces(): Buffer[] {
    const pieces = this.#only ? [this.#takeOnly(this.#only)] : [...this.#blocks, ...this.#pieces];
    this.#forget();
    this.byteLength = 0;
    return pieces;
  }

  takeText(maxBytes = Number.POSITIVE_INFINITY): string {
    if (!this.#only) {
      if (this.byteLength === 0) return '';
      const all = this.#join();
      this.byteLength = 0;
      this.#only = undefined;
      return textOf(all, 0, Math.min(all.length, maxBytes));
    }
    const text = textOf(this.#only, this.#from, Math.min(this.#end, this.#from + maxBytes));
    this.#only = undefined;
    this.byteLength = 0;
    return text;
  }

  #takeOnly(bytes: Buffer): Buffer {
    this.#only = undefined;
    return bytes.subarray(this.#from, this.#end);
  }
}

/** Decodes a body, without the byte order mark that some hosts send. */
export const textOfBytes = (bytes: Buffer): string => textOf(bytes, 0, bytes.length);

function textOf(bytes: Buffer, from: number, end: number): string {
  const text = bytes.toString('utf8', from, end);
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}
