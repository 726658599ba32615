import type { VocabularyName } from '../../src/translation/canonical/vocabulary-name.ts';
import { hashOf } from '../../src/translation/tokens/estimate-weights.ts';

/**
 * The logarithm of the number of bits. A bit for each word would take the same file for all three
 * vocabularies; these sizes keep one bit in six set.
 */
const BIT_COUNTS: Readonly<Record<VocabularyName, number>> = { p50k: 18, cl100k: 19, o200k: 20 };

const WORD = /^ ?(?:[\p{L}\p{M}]+|\p{Extended_Pictographic})$/u;
/** The seeds of the hash, which distinguish a word after a space from one without it. */
const SPACED_SEED = 1;
const UNSPACED_SEED = 2;

/** Hashes a word as `estimateText` does while it reads. */
function hashWord(word: string): number {
  const isSpaced = word.startsWith(' ');
  let hash = isSpaced ? SPACED_SEED : UNSPACED_SEED;
  for (let index = isSpaced ? 1 : 0; index < word.length; index++)
    hash = hashOf(hash, word.charCodeAt(index));
  return hash;
}

/** Returns bits, of which one is set for each token that is a word, with or without the space before it. */
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
