/** The published vocabularies that texts are cut by. */
export type VocabularyName = 'p50k' | 'cl100k' | 'o200k';

/** How many tokens a text is. */
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

/** Text that spells a special token is ordinary text to us; by default the package refuses it. */
const ORDINARY = { disallowedSpecial: new Set<string>() };
/** Distinct words kept merged: the package's own bound of 100,000 costs 10 MB more. */
const MERGE_CACHE_SIZE = 10_000;
/**
 * Merging one word takes the square of its length: 64,000 letters without a space took 2 s, in slices of this length 60 ms. A cut that
 * is not at a space makes at most one token more.
 */
const SLICE_LENGTH = 1_000;

/** 40 to 90 MB and 90 to 420 ms, by vocabulary. */
export async function loadVocabulary(name: VocabularyName): Promise<CountText> {
  const { countTokens, setMergeCacheSize } = await encodings[name]();
  setMergeCacheSize(MERGE_CACHE_SIZE);
  return (text) => {
    let count = 0;
    for (let from = 0; from < text.length; ) {
      const end = sliceEnd(text, from);
      count += countTokens(text.slice(from, end), ORDINARY);
      from = end;
    }
    return count;
  };
}

const SPACE = 32;

/** Before the last space that has a word on both sides, since a word and the space before it are one token; else where it must be. */
function sliceEnd(text: string, from: number): number {
  const most = from + SLICE_LENGTH;
  if (most >= text.length) return text.length;
  for (let at = most; at > from + SLICE_LENGTH / 2; at--) {
    const isAlone = text.charCodeAt(at) === SPACE && text.charCodeAt(at - 1) > SPACE;
    if (isAlone && text.charCodeAt(at + 1) > SPACE) return at;
  }
  const splitsPair = (text.charCodeAt(most) & 0xfc00) === 0xdc00;
  return splitsPair ? most - 1 : most;
}
