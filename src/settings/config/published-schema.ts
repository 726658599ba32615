import { mapValues } from '../../base/lib/records.ts';
import { nodeOf, type SchemaNode } from '../../base/schema/schema-node.ts';
import { CatalogFileSchema } from './catalog-schema.ts';
import { ConfigSchema } from './config-schema.ts';

const PLACEHOLDER = {
  type: 'string',
  pattern: '\\$\\{([A-Za-z_][A-Za-z0-9_]*(:-[^}]*)?|file:[^}]+)\\}',
} as const;

type PublishedNode = Record<string, unknown>;

const isContainer = (node: SchemaNode): boolean => node.type === 'object' || node.type === 'array';
const isFreeText = (node: SchemaNode): boolean =>
  node.type === 'string' &&
  node.pattern === undefined &&
  node.enum === undefined &&
  node.maxLength === undefined;

function publishFields(fields: Readonly<Record<string, SchemaNode>>): PublishedNode {
  return mapValues(fields, publish);
}

/** Publishes an object. Fields with a default are optional, and so are those that the schema marks so. */
function publishObject({
  type,
  properties,
  patternProperties,
  required: named = [],
  description,
  default: value,
}: SchemaNode): PublishedNode {
  const required = Object.entries(properties ?? {}).flatMap(([name, field]) =>
    field.default === undefined && named.includes(name) ? [name] : [],
  );
  return {
    type,
    description,
    default: value,
    ...(properties && { properties: publishFields(properties) }),
    ...(patternProperties && { patternProperties: publishFields(patternProperties) }),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Publishes a scalar. A placeholder is also accepted. */
function publishScalar(node: SchemaNode): PublishedNode {
  const { description, default: value, expected: _, anyOf, ...rest } = node;
  if (isFreeText(node)) return { description, default: value, ...rest };
  const forms = anyOf?.map((branch) => (isContainer(branch) ? publish(branch) : bare(branch))) ?? [rest];
  return { description, default: value, anyOf: [...forms, PLACEHOLDER] };
}

const bare = ({ description: _description, expected: _expected, ...rest }: SchemaNode): PublishedNode => rest;

function publish(node: SchemaNode): PublishedNode {
  if (node.type === 'object') return publishObject(node);
  if (node.type === 'array')
    return { ...bare(node), description: node.description, items: publish(node.items ?? {}) };
  return publishScalar(node);
}

function documentOf(node: SchemaNode, name: string, title: string): object {
  const head = { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: name, title };
  // JSON omits undefined members.
  return JSON.parse(JSON.stringify({ ...head, ...publish(node) })) as object;
}

/** Returns the JSON Schema of the configuration, for editors that complete and check YAML. */
export const publishedSchema = (): object =>
  documentOf(nodeOf(ConfigSchema), 'tollgate.schema.json', 'Tollgate configuration');

/** Returns the JSON Schema of a catalog file. */
export const publishedCatalogSchema = (): object =>
  documentOf(nodeOf(CatalogFileSchema), 'tollgate-catalog.schema.json', 'Tollgate catalog');
