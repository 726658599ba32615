import type { VocabularyName } from '../../src/translation/canonical/vocabulary-name.ts';
import { kindOf, NEWLINE, seedAfter } from '../../src/translation/tokens/character-kinds.ts';
import { hashOf } from '../../src/translation/tokens/estimate-weights.ts';

/** The logarithm of the number of bits. With these sizes, about one bit in six is set. */
const BIT_COUNTS: Readonly<Record<VocabularyName, number>> = { p50k: 18, cl100k: 19, o200k: 20 };

const WORD = /^ ?(?:[\p{L}\p{M}]+|\p{Extended_Pictographic})$/u;
/** The seeds distinguish a word after a space from the same word elsewhere. */
const SPACED_SEED = seedAfter[kindOf[' '.charCodeAt(0)]!]!;
const UNSPACED_SEED = seedAfter[NEWLINE]!;

/** Hashes a word as `estimateText` does while it reads. */
function hashWord(word: string): number {
  const isSpaced = word.startsWith(' ');
  let hash = isSpaced ? SPACED_SEED : UNSPACED_SEED;
  for (let index = isSpaced ? 1 : 0; index < word.length; index++)
    hash = hashOf(hash, word.charCodeAt(index));
  return hash;
}

/** Returns a set of bits: one for each token that is a word, with or without a space before it. */
export async function knownWords(vocabulary: VocabularyName): Promise<Uint8Array> {
  const { default: tokens } = (await import(`gpt-tokenizer/bpeRanks/${vocabulary}_base`)) as {
    default: readonly unknown[];
  };
  const known = new Uint8Array(2 ** (BIT_COUNTS[vocabulary] - 3));
  for (const token of tokens) {
    if (typeof token !== 'string' || !WORD.test(token)) continue;
    const hash = hashWord(token);
    const bit = (hash ^ (hash >>> 15)) & (known.length * 8 - 1);
    known[bit >> 3]! |= 1 << (bit & 7);
  }
  return known;
}
