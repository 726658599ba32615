import { posix } from 'node:path';
import type { ListedPage } from '../docs/listed-page.ts';
import { pageGroups } from './page-groups.ts';
import { pageTitles } from './page-titles.ts';

const OTHERS = 'Other pages';

/**
 * Returns all pages, for `/llms.txt`: the pages of the map in its order, then the others by their folders.
 */
export function listedPages(): ListedPage[] {
  const mapped = pageGroups().flatMap(({ title: group, pages }) => pages.map((page) => ({ group, ...page })));
  const titles = pageTitles();
  const isMapped = new Set(mapped.map(({ place }) => place));
  const unmapped = [...titles].filter(([place]) => !isMapped.has(place));
  return [
    ...mapped,
    ...unmapped.map(([place, title]) => ({ group: groupOf(place, titles), title, place, about: '' })),
  ];
}

const groupOf = (place: string, titles: ReadonlyMap<string, string>): string =>
  place.includes('/') ? (titles.get(posix.join(posix.dirname(place), 'index.md')) ?? OTHERS) : OTHERS;
