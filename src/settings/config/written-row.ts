import type { TSchema } from 'typebox';
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
 * Returns the schema of a row as it is written in a body.
 * Its fields, and those with a default in its sections, can be left out.
 */
export function writtenRow<Row extends Fields = Fields>(
  schema: TSchema,
  { required, more = {}, without = [] }: Options,
) {
  const { properties = {}, description } = nodeOf(schema);
  const own = Object.entries(properties).filter(([name]) => !without.includes(name));
  const fields = Object.fromEntries(own.map(([name, field]) => [name, written(field)]));
  return Type.Unsafe<Row>({
    type: 'object',
    description,
    properties: { ...fields, ...more },
    ...(required.length > 0 && { required: [...required] }),
    additionalProperties: false,
  });
}

/** The defaults are left out, since a body is not filled in. */
function written({ default: _default, ...node }: SchemaNode): SchemaNode {
  const { properties, patternProperties, items, anyOf, required = [] } = node;
  const needed = required.filter((name) => properties?.[name]?.default === undefined);
  return {
    ...node,
    ...(properties && { properties: mapped(properties), required: needed }),
    ...(patternProperties && { patternProperties: mapped(patternProperties) }),
    ...(items && { items: written(items) }),
    ...(anyOf && { anyOf: anyOf.map(written) }),
  };
}

const mapped = (fields: Readonly<Record<string, SchemaNode>>): Record<string, SchemaNode> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, written(field)]));
