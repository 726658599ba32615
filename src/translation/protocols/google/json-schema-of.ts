import { listOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';

/** Members of the vendor's schemas that JSON Schema does not have. */
const DROPPED: ReadonlySet<string> = new Set([
  'propertyOrdering',
  'property_ordering',
  'nullable',
  'example',
]);
/** Formats that repeat what the type or a list of values says. */
const DROPPED_FORMATS: ReadonlySet<unknown> = new Set(['int32', 'int64', 'float', 'double', 'enum']);
/** The vendor writes these counts as texts. */
// biome-ignore format: a line for each group
const COUNTS: ReadonlySet<string> = new Set([
  'minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties',
]);
/** Members that hold a schema. */
const SCHEMAS: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not']);
/** Members that hold a list of schemas. */
const SCHEMA_LISTS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
/** Members that hold schemas by name. */
const SCHEMA_TABLES: ReadonlySet<string> = new Set(['properties', '$defs', 'defs', 'definitions']);

/** The vendor's other spelling of some members. */
const camelNames: Readonly<Record<string, string>> = {
  additional_properties: 'additionalProperties',
  any_of: 'anyOf',
  one_of: 'oneOf',
  prefix_items: 'prefixItems',
  min_items: 'minItems',
  max_items: 'maxItems',
  min_length: 'minLength',
  max_length: 'maxLength',
  min_properties: 'minProperties',
  max_properties: 'maxProperties',
};

/**
 * Converts the vendor's own schema, a subset of OpenAPI's, to JSON Schema.
 * Its objects have no members beyond their properties.
 *
 * @example
 * jsonSchemaOf({ type: 'STRING', nullable: true, enum: ['a'] }); // → { type: ['string', 'null'], enum: ['a', null] }
 */
export function jsonSchemaOf(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const converted: Record<string, unknown> = Object.create(null); // `__proto__` can be a name too
  for (const [key, value] of Object.entries(schema)) {
    const name = lookUp(camelNames, key) ?? key;
    if (DROPPED.has(name) || (name === 'format' && DROPPED_FORMATS.has(value))) continue;
    if (name === 'type') Object.assign(converted, typeOf(value, schema));
    else converted[name] = memberOf(name, value);
  }
  if (isObject(converted['properties'])) converted['additionalProperties'] ??= false;
  if (schema['nullable'] === true) allowNull(converted);
  return { ...converted };
}

/** Adds null to a list of values and to alternatives, which would exclude it whatever the type. */
function allowNull(converted: Record<string, unknown>): void {
  const { enum: values, anyOf: alternatives } = converted;
  if (Array.isArray(values) && !values.includes(null)) converted['enum'] = [...values, null];
  if (Array.isArray(alternatives) && !alternatives.some(isNullSchema))
    converted['anyOf'] = [...alternatives, NULL_SCHEMA];
}

const NULL_SCHEMA = { type: 'null' };

const isNullSchema = (schema: unknown): boolean => isObject(schema) && schema['type'] === 'null';

function memberOf(name: string, value: unknown): unknown {
  if (COUNTS.has(name)) return Number(value);
  if (SCHEMAS.has(name)) return jsonSchemaOf(value);
  if (SCHEMA_LISTS.has(name)) return listOf(value).map(jsonSchemaOf);
  if (!SCHEMA_TABLES.has(name) || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, jsonSchemaOf(member)]));
}

function typeOf(type: unknown, { nullable }: Fields): { type?: unknown } {
  if (typeof type !== 'string') return { type };
  if (type === 'TYPE_UNSPECIFIED') return {};
  const plain = type.toLowerCase();
  return { type: nullable === true && plain !== 'null' ? [plain, 'null'] : plain };
}

/** Reports whether every object of a schema names all of its members, as strict modes require. */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  if (!isObject(schema)) return true;
  const { properties, required, additionalProperties } = schema;
  if (schema['type'] === 'object' || isObject(properties)) {
    const requiredNames = new Set(listOf(required));
    const isClosed = additionalProperties === false && isObject(properties);
    if (!isClosed || !Object.keys(properties).every((name) => requiredNames.has(name))) return false;
  }
  return Object.values(schema).every(isStrictSchema);
}
