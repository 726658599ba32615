import type { Operation } from './operation.ts';

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Where in the page an endpoint or a group of them is. */
export const anchorOf = (place: Operation | { group: string }): string =>
  'path' in place ? slug(`${place.method} ${place.path}`) : `group-${slug(place.group)}`;
