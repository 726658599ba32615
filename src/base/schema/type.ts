import type { TSchema, Type as TypeBox } from 'typebox';

type Factory =
  | ('Array' | 'Boolean' | 'Enum' | 'Integer' | 'Literal' | 'Null' | 'Number' | 'Object' | 'Optional')
  | ('Partial' | 'Record' | 'String' | 'Union' | 'Unknown' | 'Unsafe');
type Factories = Pick<typeof TypeBox, Factory>;
type MemberSchemas = Record<string, TSchema>;

/**
 * The mark of an optional field. It is not enumerable, so that a copy with other keywords is no longer
 * optional.
 */
const OPTIONAL = '~optional';

/** Every factory takes keywords of JSON Schema as its last argument. */
const schemaOf =
  (keywords: object) =>
  (options?: object): object => ({ ...keywords, ...options });

const optional = (schema: object): object =>
  Object.defineProperty({ ...schema }, OPTIONAL, { value: true, enumerable: false });

function objectOf(properties: MemberSchemas, options?: object): object {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in properties[name]!));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

function partialOf({ properties }: { properties: MemberSchemas }, options?: object): object {
  const entries = Object.entries(properties).map(([name, field]) => [name, optional(field)]);
  return objectOf(Object.fromEntries(entries), options);
}

/**
 * The factories of TypeBox that the gateway uses, with the types of TypeBox. The package's own module would
 * load 500 files at every start, mostly for transformations of types that the gateway does not use.
 */
export const Type = {
  Array: (items: TSchema, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: schemaOf({ type: 'boolean' }),
  Enum: (values: readonly unknown[], options?: object) => ({ enum: values, ...options }),
  Integer: schemaOf({ type: 'integer' }),
  Literal: (value: unknown, options?: object) => ({ type: typeof value, const: value, ...options }),
  Null: schemaOf({ type: 'null' }),
  Number: schemaOf({ type: 'number' }),
  Object: objectOf,
  Optional: optional,
  Partial: partialOf,
  Record: (_key: TSchema, value: TSchema, options?: object) => ({
    type: 'object',
    // A pattern with a dot would leave out names with a line break.
    patternProperties: { '': value },
    ...options,
  }),
  String: schemaOf({ type: 'string' }),
  Union: (anyOf: readonly TSchema[], options?: object) => ({ anyOf, ...options }),
  Unknown: schemaOf({}),
  Unsafe: (schema: object) => (OPTIONAL in schema ? optional(schema) : { ...schema }),
} as unknown as Factories;
