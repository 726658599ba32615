/** The words of a text that count. Each takes as long as its vector is wide, and other requests wait. */
const MAX_WORDS = 500;
/** Maps 32 bits of a hash to a number from −1 to 1. */
const HALF = 2 ** 31;

/**
 * Returns a unit vector that depends on the text only. Each word adds its own direction, so texts that share
 * words are closer to each other than texts that do not. Only the first words of a long text count.
 */
export function embedText(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text];
  for (const word of words.slice(0, MAX_WORDS)) addDirection(vector, word);
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

function addDirection(vector: Float32Array, word: string): void {
  let state = Bun.hash.crc32(word) | 1;
  for (let at = 0; at < vector.length; at++) {
    // xorshift32 takes three shifts for each number. A hash of each index takes thirty times as long.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    vector[at]! += state / HALF;
  }
}
