import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';

/** The query of a list in pages. */
export const listQuery = Type.Object({
  limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]?$' })),
  after: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
});

const ROWS = 20;

/** Returns the size of a page: 1 to 99, or 20. */
export const rowsOf = ({ limit }: Pick<Static<typeof listQuery>, 'limit'>): number => Number(limit ?? ROWS);
