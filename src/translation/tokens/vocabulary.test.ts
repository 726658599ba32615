import { expect, test } from 'bun:test';
import { shareOf } from '../../../test/support/share-of.ts';
import type { VocabularyName } from '../canonical/vocabulary-name.ts';
import { loadSliceCounter } from './vocabulary.ts';

type Encoding = { countTokens(text: string, options: { disallowedSpecial: Set<string> }): number };

const encodings: Record<VocabularyName, () => Promise<Encoding>> = {
  p50k: () => import('gpt-tokenizer/encoding/p50k_base'),
  cl100k: () => import('gpt-tokenizer/encoding/cl100k_base'),
  o200k: () => import('gpt-tokenizer/encoding/o200k_base'),
};
const disallowedSpecial = new Set<string>();
const TEXTS = 400;
const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'abAB \n',
  '0123456789 .',
  '\u00e4\u00f6\u00fc\u00df\u00e9 \u65e5\u672c\u8a9e\u4e2d\u6587 \u{1f600}\u{1f44d}\u{1f3fd}',
  '\t \n\r{}[]();=><',
  "'s't're don't I'LL ",
  '\u0000\ud800\udfff\ufffdx',
].map((letters) => [...letters]);

/** Returns a source of numbers that are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const letters = (length: number): string => {
  const next = numbers(7);
  return Array.from({ length }, () => String.fromCharCode(97 + next(26))).join('');
};

test.each(
  shareOf(Object.keys(encodings) as VocabularyName[], { turn: 2, of: 3 }),
)('counts as the published encoding %s does', async (name) => {
  const { countTokens } = await encodings[name]();
  const count = await loadSliceCounter(name);
  const next = numbers(42);
  for (let index = 0; index < TEXTS; index++) {
    const alphabet = alphabets[next(alphabets.length)]!;
    const length = index % 40 === 0 ? 1_000 : next(60);
    const text = Array.from({ length }, () => alphabet[next(alphabet.length)]).join('');
    expect({ text, count: count(text) }).toEqual({ text, count: countTokens(text, { disallowedSpecial }) });
  }
  const special = 'a <|endoftext|> <|im_start|> b';
  expect(count(special)).toBe(countTokens(special, { disallowedSpecial }));
});

test('counts a word of any length in almost linear time', async () => {
  const count = await loadSliceCounter('o200k');
  const parts = count(letters(1_000)) * 500;
  // A merge in quadratic time would take a minute.
  expect(Math.abs(count(letters(500_000)) / parts - 1)).toBeLessThan(0.1);
});
