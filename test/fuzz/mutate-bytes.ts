import type { Draw } from './draw.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type Change = (bytes: Bytes, draw: Draw) => Bytes;

const joinPieces = (...pieces: readonly (Uint8Array | readonly number[])[]): Bytes =>
  new Uint8Array(Buffer.concat(pieces.map((piece) => Uint8Array.from(piece))));

/** Bytes that are invalid in UTF-8 at their place, or that confuse parsers of lines and HTTP. */
const runs: readonly (readonly number[])[] = [
  [0xff],
  [0xc3],
  [0x80],
  [0xed, 0xa0, 0x80],
  [0xf0, 0x9f],
  [0xc0, 0xaf],
  [0xf4, 0x90, 0x80, 0x80],
  [0xef, 0xbb, 0xbf],
  [0],
  [0x0d],
  [0x0a],
  [0x0d, 0x0a],
  [0x0d, 0x0a, 0x0d, 0x0a],
  [0x0a, 0x0a],
  [0x1b],
  [0x22],
  [0x5c],
  [0x7b],
  [0x7d],
  [0x2c],
  [0x3a],
  [0x5b, 0x5d],
];

const byteChanges: readonly Change[] = [
  (bytes, draw) => joinPieces(bytes.subarray(0, draw.below(bytes.length + 1))),
  (bytes, draw) => joinPieces(bytes.subarray(draw.below(bytes.length + 1))),
  (bytes, draw) => {
    const at = draw.below(bytes.length + 1);
    return joinPieces(bytes.subarray(0, at), draw.of(runs), bytes.subarray(at));
  },
  (bytes, draw) => {
    const changed = Uint8Array.from(bytes);
    for (let count = draw.between(1, 5); count > 0 && bytes.length > 0; count--)
      changed[draw.below(bytes.length)] = draw.below(256);
    return changed;
  },
  (bytes, draw) => {
    const at = draw.below(bytes.length + 1);
    return joinPieces(bytes.subarray(0, at), bytes.subarray(at + draw.between(1, 40)));
  },
  (bytes, draw) => {
    const at = draw.below(bytes.length + 1);
    const end = Math.min(bytes.length, at + draw.between(1, 200));
    return joinPieces(bytes.subarray(0, end), bytes.subarray(at));
  },
  (bytes) => joinPieces([0xef, 0xbb, 0xbf], bytes),
];

/** Changes the bytes at one place. */
export const mutateBytes = (bytes: Uint8Array, draw: Draw): Bytes =>
  draw.of(byteChanges)(Uint8Array.from(bytes), draw);
