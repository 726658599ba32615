import type { TSchema } from 'typebox';
import { nodeOf, type SchemaNode } from '../../base/schema/schema-node.ts';
import { type Discriminator, discriminatorOf } from './discriminator-of.ts';
import type { PublishedSchema, SchemaComponents } from './schema-components.ts';

type Titled = SchemaNode & { title?: string };

/** The place of a schema: the component that contains it, and the member that it describes. */
type SchemaLocation = { owner: string; member: string };

const nowhere: SchemaLocation = { owner: '', member: '' };

/**
 * Converts a schema to plain JSON Schema. Schemas with a title become components, and are referred to. So do
 * the branches of a union that one member distinguishes.
 */
export const publishSchema = (schema: TSchema, components: SchemaComponents): PublishedSchema =>
  refer(nodeOf(schema), components, nowhere);

/** Refers to the component of a schema with a title. Another schema is converted in place. */
function refer(node: Titled, components: SchemaComponents, location: SchemaLocation): PublishedSchema {
  if (node.title === undefined) return published(node, components, location);
  return components.titled(node.title, (owner) => published(node, components, { owner, member: '' }));
}

/** Converts a schema itself. The schemas within it are referred to if they are components. */
function published(
  { properties, patternProperties, items, anyOf, oneOf, additionalProperties, ...node }: SchemaNode,
  components: SchemaComponents,
  location: SchemaLocation,
): PublishedSchema {
  const { expected, description: ownDescription, ...rest } = node;
  const description = ownDescription || expected;
  const inner = (child: SchemaNode) => refer(child, components, location);
  const each = (children: Readonly<Record<string, SchemaNode>>) =>
    Object.fromEntries(
      Object.entries(children).map(([member, child]) => [
        member,
        refer(child, components, { ...location, member }),
      ]),
    );
  return {
    ...rest,
    ...(description && { description }),
    ...(properties && { properties: each(properties) }),
    ...(patternProperties && { patternProperties: each(patternProperties) }),
    ...(items && { items: inner(items) }),
    ...(anyOf && publishedUnion(anyOf, components, location)),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? inner(additionalProperties) : additionalProperties,
    }),
  };
}

function publishedUnion(
  branches: readonly SchemaNode[],
  components: SchemaComponents,
  location: SchemaLocation,
) {
  const discriminator = location.owner === '' ? undefined : discriminatorOf(branches);
  if (!discriminator) return { anyOf: branches.map((branch) => refer(branch, components, location)) };
  const references = branches.map((branch, index) =>
    components.named(branch, branchName(location, discriminator.values[index]![0]!), (owner) =>
      published(branch, components, { owner, member: '' }),
    ),
  );
  return {
    anyOf: references,
    discriminator: { propertyName: discriminator.member, mapping: mappingOf(discriminator, references) },
  };
}

const mappingOf = ({ values }: Discriminator, references: readonly PublishedSchema[]) =>
  Object.fromEntries(
    values.flatMap((texts, index) => texts.map((text) => [text, references[index]!['$ref']])),
  );

/**
 * Returns the name of a branch, for example `ChatCompletionMessageUser`, for `messages` of
 * `ChatCompletionRequest` with the role `user`.
 */
const branchName = ({ owner, member }: SchemaLocation, value: string): string =>
  owner.replace(/Request$/, '') + camel(member).replace(/s$/, '') + camel(value);

const camel = (text: string): string =>
  text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());
