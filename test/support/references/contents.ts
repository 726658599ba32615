import { headingAnchor } from '../../../src/console/manual/heading-anchor.ts';

/** A page of more lines begins with a list of its sections. */
const MAX_WITHOUT_CONTENTS = 150;

const CONTENTS = /<!-- contents -->\n[\s\S]*?<!-- \/contents -->\n\n/;
/** The first section can begin a generated part. The list is not a part of it. */
const GENERATED = /(?:<!-- generated: [a-z-]+ -->\n)?$/;
const FENCE = /^ *```[^\n]*\n[\s\S]*?^ *```$/gm;

const withoutCode = (text: string): string =>
  text.replaceAll(FENCE, (block) => block.replaceAll(/[^\n]/g, ' '));

/** Lists the headings of a page. Lines of code blocks do not count. */
export const headingsOf = (text: string): { level: number; heading: string; index: number }[] =>
  [...withoutCode(text).matchAll(/^(#{1,6}) (.*)$/gm)].map(({ index, 1: marks = '', 2: heading = '' }) => ({
    level: marks.length,
    heading,
    index,
  }));

/** Puts the list of sections before the first section of a long page. A short page gets no list. */
export function withContents(text: string): string {
  const page = text.replace(CONTENTS, '');
  const sections = headingsOf(page).filter(({ level }) => level === 2);
  const first = sections[0];
  if (page.split('\n').length <= MAX_WITHOUT_CONTENTS || first === undefined || sections.length === 1)
    return page;
  const list = sections.map(({ heading }) => `- [${heading}](#${headingAnchor(heading)})\n`).join('');
  const contents = `<!-- contents -->\n${list}<!-- /contents -->\n\n`;
  const index = page.slice(0, first.index).search(GENERATED);
  return `${page.slice(0, index)}${contents}${page.slice(index)}`;
}
