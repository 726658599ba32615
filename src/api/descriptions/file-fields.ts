import { Type } from '../../base/schema/type.ts';

/** A file of a form. */
export const fileField = (description: string) => Type.String({ format: 'binary', description });

export const fileList = (description: string, most: number) =>
  Type.Array(Type.String({ format: 'binary' }), { minItems: 1, maxItems: most, description });
