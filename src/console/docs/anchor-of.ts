import type { Operation } from './operation.ts';

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Returns the id in the page of an endpoint or of a group. */
export const anchorOf = (place: Operation | Pick<Operation, 'group'>): string =>
  'path' in place ? slug(`${place.method} ${place.path}`) : `group-${slug(place.group)}`;
