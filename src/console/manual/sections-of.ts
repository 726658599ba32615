import { textOfMarkup } from './text-of-markup.ts';

/** A section of a page as text: its heading, its anchor and its words. */
export type PageSection = { anchor: string; heading: string; text: string };

const HEADING = /<h[1-6] id="(?<anchor>[^"]*)">(?<heading>[\s\S]*?)<\/h[1-6]>/g;

/**
 * Splits a rendered page at its headings. The renderer makes inner markup before the blocks around it, so it
 * does not know the section of a text. Each document begins with a heading, so no text is before the first.
 */
export function sectionsOf(body: string): PageSection[] {
  const headings = [...body.matchAll(HEADING)];
  return headings.map(({ index, 0: markup, groups }, position) => ({
    anchor: groups?.['anchor'] ?? '',
    heading: textOfMarkup(groups?.['heading'] ?? ''),
    text: textOfMarkup(body.slice(index + markup.length, headings[position + 1]?.index)),
  }));
}
