import { hash } from 'node:crypto';

/** The bytes of a key in the index of a segment. */
export const KEY_BYTES = 8;
const BLOCK_BITS = 16n;

/** Returns the key of an id in the index: 48 bits of its SHA-256, then the number of its block. */
export const keyOf = (id: string, block: number): bigint => (digestOf(id) << BLOCK_BITS) | BigInt(block);

/** Returns the first 48 bits of the SHA-256 of an id. */
export const digestOf = (id: string): bigint => BigInt(`0x${hash('sha256', id, 'hex').slice(0, 12)}`);
export const digestOfKey = (key: bigint): bigint => key >> BLOCK_BITS;
export const blockOfKey = (key: bigint): number => Number(key & ((1n << BLOCK_BITS) - 1n));
export const firstByteOf = (digest: bigint): number => Number(digest >> 40n);

/** Sorts the keys. Returns their bytes, and the position of the first key for each first byte. */
export function formatIndex(keys: BigUint64Array<ArrayBuffer>): { bytes: Buffer; starts: number[] } {
  keys.sort();
  const starts = Array.from({ length: 257 }, (_, byte) => positionOf(keys, BigInt(byte)));
  // Every platform of the runtime is little-endian.
  return { bytes: Buffer.from(keys.buffer), starts };
}

/** Returns the position of the first key whose first byte is not below `byte`. */
function positionOf(keys: BigUint64Array, byte: bigint): number {
  let from = 0;
  let to = keys.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (keys[middle]! >> 56n < byte) from = middle + 1;
    else to = middle;
  }
  return from;
}
