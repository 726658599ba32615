/** A section of a page as text: its heading, its anchor and its words. */
export type PageSection = { anchor: string; heading: string; text: string };

const HEADING = /<h[1-6] id="([^"]*)">([\s\S]*?)<\/h[1-6]>/g;
const INLINE = /<\/?(?:a|code|strong|em|del)\b[^>]*>/g;
const TAG = /<[^>]*>/g;

/** The characters of the entities that `escapeHtml` writes. */
const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Returns the text of markup. Blocks are separated by spaces. */
export const textOf = (markup: string): string =>
  markup
    .replaceAll(INLINE, '')
    .replaceAll(TAG, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => signs[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Splits a rendered page at its headings. */
export function sectionsOf(body: string): PageSection[] {
  const headings = [...body.matchAll(HEADING)];
  return headings.map(({ index, 0: whole, 1: anchor = '', 2: heading = '' }, position) => ({
    anchor,
    heading: textOf(heading),
    text: textOf(body.slice(index + whole.length, headings[position + 1]?.index)),
  }));
}
