import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';

/** The query parameters `limit` and `after` of a list. */
export const pageParameters: NonNullable<RouteDescription['query']> = [
  {
    name: 'limit',
    description: 'Entries per page. Default: 50.',
    schema: Type.Integer({ minimum: 1, maximum: 1_000 }),
  },
  {
    name: 'after',
    description: 'Returns the page after the entry with this id.',
    schema: Type.String({ minLength: 1 }),
  },
];
