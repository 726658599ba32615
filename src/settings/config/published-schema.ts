import { nodeOf, type SchemaNode } from '../../base/schema/schema-node.ts';
import { CatalogFileSchema } from './catalog-schema.ts';
import { ConfigSchema } from './config-schema.ts';

const PLACEHOLDER = { type: 'string', pattern: '\\$\\{[A-Za-z_][A-Za-z0-9_]*(:-[^}]*)?\\}' } as const;

type Published = Record<string, unknown>;

const isContainer = (node: SchemaNode): boolean => node.type === 'object' || node.type === 'array';
const isFreeText = (node: SchemaNode): boolean =>
  node.type === 'string' &&
  node.pattern === undefined &&
  node.enum === undefined &&
  node.maxLength === undefined;

function publishedFields(fields: Readonly<Record<string, SchemaNode>>): Published {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, published(field)]));
}

/** What an editor is told of an object: a field with a default may be left out. */
function publishedObject({
  type,
  properties,
  patternProperties,
  description,
  default: value,
}: SchemaNode): Published {
  const required = Object.entries(properties ?? {}).flatMap(([name, field]) =>
    field.default === undefined ? [name] : [],
  );
  return {
    type,
    description,
    default: value,
    ...(properties && { properties: publishedFields(properties) }),
    ...(patternProperties && { patternProperties: publishedFields(patternProperties) }),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Where a scalar is expected, a placeholder may stand as well. */
function publishedScalar(node: SchemaNode): Published {
  const { description, default: value, expected: _, anyOf, ...rest } = node;
  if (isFreeText(node)) return { description, default: value, ...rest };
  const forms = anyOf?.map((branch) => (isContainer(branch) ? published(branch) : bare(branch))) ?? [rest];
  return { description, default: value, anyOf: [...forms, PLACEHOLDER] };
}

const bare = ({ description: _description, expected: _expected, ...rest }: SchemaNode): Published => rest;

function published(node: SchemaNode): Published {
  if (node.type === 'object') return publishedObject(node);
  if (node.type === 'array')
    return { ...bare(node), description: node.description, items: published(node.items ?? {}) };
  return publishedScalar(node);
}

function publish(node: SchemaNode, name: string, title: string): object {
  const head = { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: name, title };
  // JSON drops what is undefined.
  return JSON.parse(JSON.stringify({ ...head, ...published(node) })) as object;
}

/** The configuration's JSON Schema, for editors that complete and check YAML. */
export const publishedSchema = (): object =>
  publish(nodeOf(ConfigSchema), 'tollgate.schema.json', 'Tollgate configuration');

/** The same for a catalog in a file of its own. */
export const publishedCatalogSchema = (): object =>
  publish(nodeOf(CatalogFileSchema), 'tollgate-catalog.schema.json', 'Tollgate catalog');
