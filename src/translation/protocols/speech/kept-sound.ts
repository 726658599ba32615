import type { KeptBytes } from '../../../base/forms/form.ts';

/** Sound that is kept in the pieces in which it arrived, until its length is measured. */
export class KeptSound implements KeptBytes {
  #pieces: Uint8Array[] = [];
  #byteLength = 0;

  get byteLength(): number {
    return this.#byteLength;
  }

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#byteLength += piece.byteLength;
  }

  read(offset: number, length: number): Uint8Array {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
    return this.#pieces[0]?.subarray(offset, offset + length) ?? new Uint8Array();
  }
}
