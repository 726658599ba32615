import { Type } from '../../base/schema/type.ts';
import { limitField } from '../routes/page-fields.ts';

const MAX_ROWS = 99;
/** The number of rows of a page if the query has no limit. */
export const DEFAULT_ROWS = 20;

/** The query of a list in pages. */
export const listQuery = Type.Object({
  limit: limitField(MAX_ROWS, DEFAULT_ROWS),
  after: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
});
