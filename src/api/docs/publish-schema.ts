import type { TSchema } from 'typebox';
import { nodeOf, type SchemaNode } from '../../base/schema/schema-node.ts';

export type PublishedSchema = Record<string, unknown>;

/** Named schemas, which other schemas refer to. */
export type SchemaComponents = Map<string, PublishedSchema>;

type Titled = SchemaNode & { title?: string };

const componentName = (title: string): string => title.replace(/[^A-Za-z0-9]+/g, '');

/** Converts a schema to plain JSON Schema. Schemas with a title become components, and are referred to. */
export const publishSchema = (schema: TSchema, components: SchemaComponents): PublishedSchema =>
  refer(nodeOf(schema), components);

function refer(node: Titled, components: SchemaComponents): PublishedSchema {
  if (node.title === undefined) return published(node, components);
  const name = componentName(node.title);
  if (!components.has(name)) components.set(name, published(node, components));
  return { $ref: `#/components/schemas/${name}` };
}

function published(node: SchemaNode, components: SchemaComponents): PublishedSchema {
  const { expected, properties, patternProperties, items, anyOf, oneOf, additionalProperties, ...rest } =
    node;
  const one = (child: SchemaNode) => refer(child, components);
  const each = (children: Readonly<Record<string, SchemaNode>>) =>
    Object.fromEntries(Object.entries(children).map(([name, child]) => [name, one(child)]));
  const description = rest.description || expected;
  return {
    ...rest,
    ...(description && { description }),
    ...(properties && { properties: each(properties) }),
    ...(patternProperties && { patternProperties: each(patternProperties) }),
    ...(items && { items: one(items) }),
    ...(anyOf && { anyOf: anyOf.map(one) }),
    ...(oneOf && { oneOf: oneOf.map(one) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? one(additionalProperties) : additionalProperties,
    }),
  };
}
