import { readFileSync } from 'node:fs';
import type { VocabularyName } from '../canonical/vocabulary-name.ts';
import { KINDS, kindNames } from './character-kinds.ts';
import type { RangeName } from './character-ranges.ts';

/** Weights are in parts of a token. */
export const PARTS_PER_TOKEN = 1_024;
/** Longer words are never looked up. */
export const MAX_KNOWN = 20;

/**
 * The costs of characters and words in one vocabulary. `bench/estimates/fit-weights.ts` writes these tables.
 */
export type EstimateWeights = {
  /** The weights by the kind of the character before it (row) and its own (column). */
  pairs: Int16Array;
  /** A sign that repeats the previous sign, by its kind. */
  repeats: Int16Array;
  /** A word that is one token, by the kind of the character before it. */
  words: Int16Array;
  /**
   * A bit for the hash of each such word. Other words share the bits: about one in six is taken for a token.
   */
  tokenHashes: Uint8Array;
};

const files: Readonly<Record<VocabularyName, string>> = {
  p50k: './weights-p50k.bin',
  cl100k: './weights-cl100k.bin',
  o200k: './weights-o200k.bin',
};

/** Returns the place of a vocabulary's tables. */
export const weightsFile = (vocabulary: VocabularyName): URL => new URL(files[vocabulary], import.meta.url);

const loaded = new Map<VocabularyName, EstimateWeights>();

/** Returns the weights of a vocabulary, which are read on first use. */
export function estimateWeights(vocabulary: VocabularyName): EstimateWeights {
  let weights = loaded.get(vocabulary);
  if (!weights) {
    weights = unpack(readFileSync(weightsFile(vocabulary)));
    loaded.set(vocabulary, weights);
  }
  return weights;
}

/**
 * The least tokens for a character of kinds that the fitted texts lack. Without them their weights would be
 * zero, because no vocabulary has tokens of several such characters.
 */
const leastTokens = {
  'full-width': 1.5,
  'han-rare': 2.5,
  high: 2.8,
  phonetic: 1.7,
  private: 2.8,
  rare: 2.5,
  symbol: 1.5,
  tibetan: 1.9,
} satisfies Partial<Record<RangeName, number>>;

/** Raises the weights of these kinds, whichever character comes before. */
function raise(pairs: Int16Array): void {
  for (const [name, tokens] of Object.entries(leastTokens)) {
    const kind = kindNames.indexOf(name);
    const least = tokens * PARTS_PER_TOKEN;
    for (let at = kind; at < pairs.length; at += KINDS) pairs[at] = Math.max(pairs[at]!, least);
  }
}

/** Returns the tables of a file, one after another. */
function unpack(file: Uint8Array): EstimateWeights {
  const bytes = new Uint8Array(file);
  const numbers = new Int16Array(bytes.buffer, 0, KINDS * (KINDS + 2));
  const pairs = numbers.subarray(0, KINDS * KINDS);
  raise(pairs);
  return {
    pairs,
    repeats: numbers.subarray(KINDS * KINDS, KINDS * (KINDS + 1)),
    words: numbers.subarray(KINDS * (KINDS + 1)),
    tokenHashes: bytes.subarray(numbers.byteLength),
  };
}

/** The multiplier of the hash of a word, which is FNV's prime. */
export const MULTIPLIER = 0x01000193;

/** Returns the hash of a word with one more UTF-16 unit. */
export const hashOf = (hash: number, unit: number): number => (Math.imul(hash, MULTIPLIER) + unit) | 0;

/** Reports whether a word with this hash is probably one token. */
export function isKnown(tokenHashes: Uint8Array, hash: number): boolean {
  const bit = (hash ^ (hash >>> 15)) & (tokenHashes.length * 8 - 1);
  return (tokenHashes[bit >> 3]! & (1 << (bit & 7))) !== 0;
}
