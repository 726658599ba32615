import type { TSchema } from 'typebox';
import { mapValues } from '../../base/lib/records.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import { nodeOf, type SchemaNode } from '../../base/schema/schema-node.ts';
import { Type } from '../../base/schema/type.ts';

type Options = {
  /** The required fields of the body. Sections have their own. */
  required: readonly string[];
  /** Further fields of the body. */
  more?: Readonly<Record<string, TSchema>>;
  without?: readonly string[];
};

/**
 * Returns the schema of a row as it is written in a body. Its fields, and those with a default in its
 * sections, can be left out.
 */
export function writtenRow<Row extends Fields = Fields>(
  schema: TSchema,
  { required, more = {}, without = [] }: Options,
) {
  const { properties = {}, description } = nodeOf(schema);
  const own = Object.entries(properties).filter(([name]) => !without.includes(name));
  const fields = Object.fromEntries(own.map(([name, field]) => [name, withoutDefaults(field)]));
  return Type.Unsafe<Row>({
    type: 'object',
    description,
    properties: { ...fields, ...more },
    ...(required.length > 0 && { required: [...required] }),
    additionalProperties: false,
  });
}

/** Returns a schema without its defaults, since they are not filled in to a body. */
function withoutDefaults({ default: _default, ...node }: SchemaNode): SchemaNode {
  const { properties, patternProperties, items, anyOf, required = [] } = node;
  const stillRequired = required.filter((name) => properties?.[name]?.default === undefined);
  return {
    ...node,
    ...(properties && { properties: mapValues(properties, withoutDefaults), required: stillRequired }),
    ...(patternProperties && { patternProperties: mapValues(patternProperties, withoutDefaults) }),
    ...(items && { items: withoutDefaults(items) }),
    ...(anyOf && { anyOf: anyOf.map(withoutDefaults) }),
  };
}
