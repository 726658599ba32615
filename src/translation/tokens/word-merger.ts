import { PairHeap } from './pair-heap.ts';
import { hashOn, NO_TOKEN, powersTo, type TokenTable } from './token-table.ts';

/** Ranks and positions are packed into one number. A position is below this. */
const POSITIONS = 2 ** 32;
const FIRST_ROOM = 4_096;
const encoder = new TextEncoder();

/**
 * Counts the tokens of words. It merges the pair with the lowest rank until no pair is a token; the leftmost
 * of equal pairs goes first. A heap finds the pair, so the time for a word of n bytes grows with n log n.
 * All buffers are reused.
 */
export class WordMerger {
  readonly #table: TokenTable;
  readonly #powers: Int32Array;
  readonly #heap = new PairHeap();
  #bytes = new Uint8Array(FIRST_ROOM);
  /** The hashes of the word's beginnings. */
  #hashes = new Int32Array(FIRST_ROOM + 1);
  /**
   * Lists by the position at which a part begins: the next and the previous part, and the rank of the pair
   * with the next one.
   */
  #next = new Int32Array(FIRST_ROOM);
  #previous = new Int32Array(FIRST_ROOM);
  #pairRanks = new Int32Array(FIRST_ROOM);
  #length = 0;

  constructor(table: TokenTable) {
    this.#table = table;
    this.#powers = powersTo(table.longest);
  }

  /** Takes a word, and reports whether it is one token. */
  take(word: string): boolean {
    this.#makeSpace(3 * word.length);
    this.#length = this.#encode(word);
    let hash = 0;
    for (let at = 0; at < this.#length; at++) {
      hash = hashOn(hash, this.#bytes[at]!);
      this.#hashes[at + 1] = hash;
    }
    return this.#rankOf(0, this.#length) !== NO_TOKEN;
  }

  /** Counts the tokens of the taken word. */
  count(): number {
    const length = this.#length;
    for (let at = 0; at < length; at++) {
      this.#next[at] = at + 1;
      this.#previous[at] = at - 1;
    }
    for (let at = 0; at < length; at++) this.#rankPair(at);
    let parts = length;
    while (this.#heap.size > 0) {
      const item = this.#heap.pop();
      const rank = Math.floor(item / POSITIONS);
      const at = item - rank * POSITIONS;
      if (this.#pairRanks[at] !== rank) continue; // the pair has changed
      this.#merge(at);
      parts--;
    }
    return parts;
  }

  #makeSpace(bytes: number): void {
    if (bytes <= this.#bytes.length) return;
    this.#bytes = new Uint8Array(bytes);
    this.#hashes = new Int32Array(bytes + 1);
    this.#next = new Int32Array(bytes);
    this.#previous = new Int32Array(bytes);
    this.#pairRanks = new Int32Array(bytes);
  }

  #encode(word: string): number {
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at);
      if (code > 127) return encoder.encodeInto(word, this.#bytes).written;
      this.#bytes[at] = code;
    }
    return word.length;
  }

  #rankOf(from: number, end: number): number {
    if (end - from > this.#table.longest) return NO_TOKEN;
    const hash = (this.#hashes[end]! - Math.imul(this.#hashes[from]!, this.#powers[end - from]!)) | 0;
    return this.#table.rankOf(this.#bytes, from, end, hash);
  }

  /** Joins the part with the next one. */
  #merge(at: number): void {
    const joined = this.#next[at]!;
    const after = this.#next[joined]!;
    this.#pairRanks[joined] = NO_TOKEN;
    this.#next[at] = after;
    if (after < this.#length) this.#previous[after] = at;
    this.#rankPair(at);
    if (at > 0) this.#rankPair(this.#previous[at]!);
  }

  #rankPair(at: number): void {
    const second = this.#next[at]!;
    const rank = second < this.#length ? this.#rankOf(at, this.#next[second]!) : NO_TOKEN;
    this.#pairRanks[at] = rank;
    if (rank !== NO_TOKEN) this.#heap.push(rank * POSITIONS + at);
  }
}
