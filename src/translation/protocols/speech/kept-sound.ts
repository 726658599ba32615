import type { KeptBytes } from '../../../base/forms/form.ts';

/** Sound that is kept in the pieces in which it arrived, until its length is measured. */
export class KeptSound implements KeptBytes {
  readonly #pieces: Uint8Array[] = [];
  #whole: Buffer | undefined;
  byteLength = 0;

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#whole = undefined;
    this.byteLength += piece.byteLength;
  }

  read(offset: number, length: number): Uint8Array {
    this.#whole ??= Buffer.concat(this.#pieces);
    return this.#whole.subarray(offset, offset + length);
  }
}
