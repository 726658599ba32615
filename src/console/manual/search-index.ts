import type { PageSection } from './sections-of.ts';

/** A page whose sections can be found. `place` is its address from the root of the site. */
export type SearchedPage = { place: string; title: string; sections: readonly PageSection[] };

const WORD = /[\p{L}\p{N}_]{2,}/gu;
const EXCERPT = 140;
const RADIX = 36;

/** Words of nearly every section. The search leaves them out. */
const COMMON = new Set(
  'a an and are as at be by for from has if in is it its of on or that the to with'.split(' '),
);

/** Returns the words of a text that the index has, in lower case. */
export const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(WORD) ?? []).filter((word) => !COMMON.has(word));

/** The differences between the numbers of sections, in base 36: small numbers for frequent words. */
const packNumbers = (numbers: readonly number[]): string =>
  numbers
    .map((number, index) => (number - (index === 0 ? 0 : numbers[index - 1]!)).toString(RADIX))
    .join(' ');

/**
 * Builds the script with the index. Each line of `words` is a word and the sections that contain it. A page
 * that was opened from a file can load scripts, but no data.
 */
export function searchIndex(pages: readonly SearchedPage[]): string {
  const sectionsOfWord = new Map<string, number[]>();
  const sections = pages.flatMap((page, number) =>
    page.sections.map((section) => ({ ...section, page: number })),
  );
  sections.forEach(({ heading, text }, number) => {
    for (const word of new Set(wordsOf(`${heading} ${text}`))) {
      const numbers = sectionsOfWord.get(word);
      if (numbers) numbers.push(number);
      else sectionsOfWord.set(word, [number]);
    }
  });
  const words = [...sectionsOfWord]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([word, numbers]) => `${word} ${packNumbers(numbers)}`);
  const index = {
    common: [...COMMON],
    pages: pages.map(({ place, title }) => [place, title]),
    sections: sections.map(({ page, anchor, heading, text }) => [page, anchor, heading, excerptOf(text)]),
    words: words.join('\n'),
  };
  return `globalThis.tollgateIndex=${JSON.stringify(index).replaceAll('<', '\\u003c')};\n`;
}

const excerptOf = (text: string): string =>
  text.length <= EXCERPT ? text : `${text.slice(0, text.lastIndexOf(' ', EXCERPT))} …`;
