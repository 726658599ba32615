/** The tokens of a vocabulary in the order of their ranks, as text or as bytes. The list may have gaps. */
export type RankedTokens = readonly (string | number[])[];

const MULTIPLIER = 0x01000193;
/** Slots for each token. More are faster and take more memory. */
const SLOTS_PER_TOKEN = 2;
const EMPTY = -1;
export const NO_TOKEN = -1;
const encoder = new TextEncoder();

/**
 * Returns the hash of some bytes and one more.
 * The hashes of all beginnings of a word give the hash of any part of it.
 */
export const hashOn = (hash: number, byte: number): number => (Math.imul(hash, MULTIPLIER) + byte + 1) | 0;

/** Returns the powers of the multiplier, up to the given one. */
export function powersTo(most: number): Int32Array {
  const powers = new Int32Array(most + 1);
  powers[0] = 1;
  for (let at = 1; at <= most; at++) powers[at] = Math.imul(powers[at - 1]!, MULTIPLIER);
  return powers;
}

/**
 * The ranks of all tokens by their bytes. A lookup creates no object, unlike one with a string as its key.
 */
export class TokenTable {
  /** The bytes of the longest token. */
  readonly longest: number;
  readonly #bytes: Uint8Array;
  /** The start of each token's bytes, by rank. The bytes end where those of the next rank begin. */
  readonly #starts: Int32Array;
  readonly #slots: Int32Array;
  readonly #mask: number;

  constructor(tokens: RankedTokens) {
    const space = tokens.reduce<number>((sum, { length }) => sum + 3 * length, 0);
    const bytes = new Uint8Array(space);
    this.#starts = new Int32Array(tokens.length + 1);
    let longest = 0;
    for (let rank = 0, end = 0; rank < tokens.length; rank++) {
      const length = write(tokens[rank] ?? '', bytes, end);
      end += length;
      longest = Math.max(longest, length);
      this.#starts[rank + 1] = end;
    }
    this.longest = longest;
    this.#bytes = bytes.slice(0, this.#starts[tokens.length]);
    const slots = 2 ** Math.ceil(Math.log2(tokens.length * SLOTS_PER_TOKEN));
    this.#slots = new Int32Array(slots).fill(EMPTY);
    this.#mask = slots - 1;
    for (let rank = 0; rank < tokens.length; rank++)
      if (this.#starts[rank + 1]! > this.#starts[rank]!) this.#add(rank);
  }

  /** Returns the rank of these bytes, or NO_TOKEN. */
  rankOf(bytes: Uint8Array, from: number, end: number, hash: number): number {
    for (let slot = this.#slotOf(hash); ; slot = (slot + 1) & this.#mask) {
      const rank = this.#slots[slot]!;
      if (rank === EMPTY) return NO_TOKEN;
      if (this.#isAt(rank, bytes, from, end)) return rank;
    }
  }

  #add(rank: number): void {
    let hash = 0;
    for (let at = this.#starts[rank]!; at < this.#starts[rank + 1]!; at++)
      hash = hashOn(hash, this.#bytes[at]!);
    let slot = this.#slotOf(hash);
    while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = rank;
  }

  /** The low bits of the hash depend only on the low bits of the bytes, so the high bits are mixed in. */
  #slotOf(hash: number): number {
    const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return (mixed ^ (mixed >>> 13)) & this.#mask;
  }

  #isAt(rank: number, bytes: Uint8Array, from: number, end: number): boolean {
    const start = this.#starts[rank]!;
    if (this.#starts[rank + 1]! - start !== end - from) return false;
    for (let at = from, own = start; at < end; at++, own++) if (bytes[at] !== this.#bytes[own]) return false;
    return true;
  }
}

function write(token: string | number[], bytes: Uint8Array, at: number): number {
  if (typeof token === 'string') return encoder.encodeInto(token, bytes.subarray(at)).written;
  bytes.set(token, at);
  return token.length;
}
