import { headingAnchor } from './heading-anchor.ts';
import { rewriteLinks } from './rewrite-links.ts';
import { readSource } from './source-files.ts';

export type PageLink = { title: string; place: string; about: string };
/** A group of pages in the map of the documentation, with the anchor of its heading. */
export type PageGroup = { title: string; anchor: string; pages: readonly PageLink[] };

/** The map of the documentation. Its headings are the groups. */
const MAP = 'docs/README.md';

const HEADING = /^#{2,3} (.*)$/;
const ITEM = /^- \[([^\]]*)\]\(([^)\s]*\.md)\)(?:: (.*))?$/;

/** Reads the groups of pages from the map. */
export function pageGroups(): PageGroup[] {
  const groups: { title: string; anchor: string; pages: PageLink[] }[] = [];
  for (const line of rewriteLinks(readSource(MAP), MAP).split('\n')) {
    const [, heading] = HEADING.exec(line) ?? [];
    if (heading !== undefined) groups.push({ title: heading, anchor: headingAnchor(heading), pages: [] });
    const [, title, place, about = ''] = ITEM.exec(line) ?? [];
    if (title !== undefined && place !== undefined) groups.at(-1)?.pages.push({ title, place, about });
  }
  return groups.filter(({ pages }) => pages.length > 0);
}
