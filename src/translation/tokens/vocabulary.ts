import type { VocabularyName } from '../canonical/vocabulary-name.ts';
import { slicesOf } from './slice-text.ts';
import { type RankedTokens, TokenTable } from './token-table.ts';
import { WordMerger } from './word-merger.ts';

/** Counts the tokens of a text. */
export type CountText = (text: string) => number;

/** `split`: the name of the pattern that splits a text into words. */
type Source = {
  tokens: () => Promise<{ default: RankedTokens }>;
  split: 'R50K_TOKEN_SPLIT_REGEX' | 'CL100K_TOKEN_SPLIT_REGEX' | 'O200K_TOKEN_SPLIT_REGEX';
};

const sources: Readonly<Record<VocabularyName, Source>> = {
  p50k: { tokens: () => import('gpt-tokenizer/bpeRanks/p50k_base'), split: 'R50K_TOKEN_SPLIT_REGEX' },
  cl100k: { tokens: () => import('gpt-tokenizer/bpeRanks/cl100k_base'), split: 'CL100K_TOKEN_SPLIT_REGEX' },
  o200k: { tokens: () => import('gpt-tokenizer/bpeRanks/o200k_base'), split: 'O200K_TOKEN_SPLIT_REGEX' },
};

/** Distinct words whose counts are cached. */
const CACHED_WORDS = 10_000;
/** Longer words rarely repeat. */
const MAX_CACHED = 64;

/**
 * Loads a counter that counts a text in one run. Text that spells a special token is counted as ordinary
 * text. A vocabulary takes 40 to 90 MB and 90 to 420 ms to load.
 */
export async function loadSliceCounter(name: VocabularyName): Promise<CountText> {
  const { tokens, split } = sources[name];
  const [{ default: ranked }, splits] = await Promise.all([
    tokens(),
    import('gpt-tokenizer/encodingParams/constants'),
  ]);
  const pattern = splits[split];
  const merger = new WordMerger(new TokenTable(ranked));
  const wordCounts = new Map<string, number>();
  const countWord = (word: string): number => {
    if (merger.take(word)) return 1;
    if (word.length > MAX_CACHED) return merger.count();
    const cached = wordCounts.get(word);
    if (cached !== undefined) return cached;
    const count = merger.count();
    if (wordCounts.size >= CACHED_WORDS) wordCounts.clear();
    wordCounts.set(word, count);
    return count;
  };
  return (slice) => {
    let count = 0;
    for (const [word] of slice.matchAll(pattern)) count += countWord(word);
    return count;
  };
}

/** Makes a counter for texts of any length and kind. */
export function countBySlices(countSlice: CountText): CountText {
  return (text) => {
    let count = 0;
    for (const { from, end } of slicesOf(text)) count += countSlice(text.slice(from, end));
    return count;
  };
}

/** Loads a counter for texts of any length and kind. */
export const loadVocabulary = async (name: VocabularyName): Promise<CountText> =>
  countBySlices(await loadSliceCounter(name));
