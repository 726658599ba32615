/** Numbers of a hash that we take at once: 32 bits, mapped to −1…1. */
const HALF = 2 ** 31;

/**
 * A unit vector that depends on the text alone. Each word adds its own direction, so that texts which
 * share words are nearer to each other than texts which do not.
 */
export function embedText(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]) addDirection(vector, word);
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

function addDirection(vector: Float32Array, word: string): void {
  let state = Bun.hash.crc32(word) | 1;
  for (let at = 0; at < vector.length; at++) {
    // xorshift32: three shifts a number, where a hash of each index cost thirty times as much.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    vector[at]! += state / HALF;
  }
}
