import { Type } from '../../base/schema/type.ts';
import { limitField } from '../routes/page-fields.ts';

/** The query of a page of budgets, or of the targets of one. */
export const budgetPageQuery = Type.Object({
  after: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  limit: limitField(100),
});
