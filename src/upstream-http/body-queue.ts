const decoder = new TextDecoder();

/** A host may send its body in pieces of a byte; each costs a hundred until they are put together. */
const MAX_PIECES = 1_024;

/** What came of a body and was not read yet. */
export class BodyQueue {
  #pieces: Buffer[] = [];
  /** Full hands of pieces. */
  #blocks: Buffer[] = [];
  byteLength = 0;
  hasBegun = false;

  push(bytes: Buffer): void {
    this.hasBegun = true;
    this.byteLength += bytes.length;
    this.#pieces.push(bytes);
    if (this.#pieces.length < MAX_PIECES) return;
    this.#blocks.push(Buffer.concat(this.#pieces));
    this.#pieces = [];
  }

  /** All that is there. */
  shift(): Buffer | undefined {
    if (this.byteLength === 0) return undefined;
    this.byteLength = 0;
    if (this.#blocks.length === 0 && this.#pieces.length === 1) return this.#pieces.pop()!;
    const all = Buffer.concat([...this.#blocks, ...this.#pieces]);
    this.#blocks = [];
    this.#pieces = [];
    return all;
  }

  takeText(mostBytes = Number.POSITIVE_INFINITY): string {
    const bytes = this.shift();
    if (!bytes) return '';
    return decoder.decode(bytes.length > mostBytes ? bytes.subarray(0, mostBytes) : bytes);
  }
}
