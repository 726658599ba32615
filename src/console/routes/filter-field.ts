import { Type } from '../../base/schema/type.ts';

/** Returns the schema of a query parameter that selects the rows of a list by a text. */
export const filterField = (description: string) => Type.Optional(Type.String({ description }));
