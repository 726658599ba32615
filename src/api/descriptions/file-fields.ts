import { Type } from '../../base/schema/type.ts';

/** Returns the schema of a file in a form. */
export const fileField = (description: string) => Type.String({ format: 'binary', description });

/** Returns the schema of several files under one name in a form. */
export const fileList = (description: string, limit: number) =>
  Type.Array(Type.String({ format: 'binary' }), { minItems: 1, maxItems: limit, description });
