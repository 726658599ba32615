import { Type } from 'typebox';
import type { RouteDescription } from '../../edge/http/route.ts';

/** `?limit&after` of a list. */
export const pageParameters: NonNullable<RouteDescription['query']> = [
  {
    name: 'limit',
    description: 'Entries of a page, 50 unless said.',
    schema: Type.Integer({ minimum: 1, maximum: 1_000 }),
  },
  { name: 'after', description: 'The id of the last entry of the page before.' },
];
