import { slicesOf } from './slice-text.ts';

/** The published vocabularies. */
export type VocabularyName = 'p50k' | 'cl100k' | 'o200k';

/** Counts the tokens of a text. */
export type CountText = (text: string) => number;

type Encoding = {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
  setMergeCacheSize(size: number): void;
};

const encodings: Record<VocabularyName, () => Promise<Encoding>> = {
  p50k: () => import('gpt-tokenizer/encoding/p50k_base'),
  cl100k: () => import('gpt-tokenizer/encoding/cl100k_base'),
  o200k: () => import('gpt-tokenizer/encoding/o200k_base'),
};

/** Text that spells a special token is counted as ordinary text. By default the package rejects it. */
const ORDINARY = { disallowedSpecial: new Set<string>() };
/** Distinct words whose merges are cached. The package's default of 100,000 costs 10 MB more. */
const MERGE_CACHE_SIZE = 10_000;

/**
 * Loads a counter that counts a text in one run. Its cost grows with the square of the longest word. A vocabulary takes 40 to 90 MB and 90
 * to 420 ms to load.
 */
export async function loadSliceCounter(name: VocabularyName): Promise<CountText> {
  const { countTokens, setMergeCacheSize } = await encodings[name]();
  setMergeCacheSize(MERGE_CACHE_SIZE);
  return (slice) => countTokens(slice, ORDINARY);
}

/** Makes a counter for texts of any length and kind. */
export function inSlices(countSlice: CountText): CountText {
  return (text) => {
    let count = 0;
    for (const { from, end } of slicesOf(text)) count += countSlice(text.slice(from, end));
    return count;
  };
}

export const loadVocabulary = async (name: VocabularyName): Promise<CountText> =>
  inSlices(await loadSliceCounter(name));
