/** The JSON Schemas of which the inputs of vendors' tools are made. */
export const TEXT = { type: 'string' };
export const INTEGER = { type: 'integer' };
export const TEXTS = { type: 'array', items: TEXT };

export const objectSchema = (properties: object, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
});
