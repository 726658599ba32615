import { isObject } from '../../base/lib/is-object.ts';
import { lookUp } from '../../base/lib/records.ts';

export type Schema = Record<string, unknown>;

export const isSchema: (value: unknown) => value is Schema = isObject;

/** The most references that lead from one to the next. */
const MAX_REFERENCES = 24;
/** The most steps of one sample. A small schema can describe an instance without end. */
export const MAX_STEPS = 10_000;

/** The members of a schema, or elements of its lists, that take as long as a step. */
const MEMBERS_PER_STEP = 100;
/** The characters of a text that count as a step. */
const CHARACTERS_PER_STEP = 100;

/** The work on one sample. */
export type SampleWork = { readonly root: Schema; steps: number };

/** Counts the characters of a text as steps. */
export function countText(text: string, work: SampleWork): void {
  work.steps += Math.floor(text.length / CHARACTERS_PER_STEP);
}

/** Counts the members of a schema as steps, and the elements and texts in them. */
function countMembers(schema: Schema, work: SampleWork): void {
  let members = 0;
  for (const name in schema) {
    const value = schema[name];
    members += 1;
    if (Array.isArray(value)) members += value.length;
    else if (name === 'properties' && isSchema(value)) members += Object.keys(value).length;
    else if (name === '$ref' || name === 'pattern') countText(String(value), work);
  }
  work.steps += Math.floor(members / MEMBERS_PER_STEP);
}

/**
 * Returns a schema with its reference and its parts in `allOf` resolved. It is empty after the last step, and
 * inside too many parts.
 */
export function resolveSchema(schema: Schema, work: SampleWork, depth = 0): Schema {
  if (++work.steps > MAX_STEPS || depth > MAX_REFERENCES) return {};
  const { root } = work;
  let current = schema;
  for (let hops = 0; hops < MAX_REFERENCES && typeof current.$ref === 'string'; hops++) {
    countMembers(current, work);
    if (++work.steps > MAX_STEPS) return {};
    const { $ref, ...siblings } = current;
    current = { ...schemaAt(String($ref), root), ...siblings };
  }
  countMembers(current, work);
  if (work.steps > MAX_STEPS) return {};
  const { allOf, ...siblings } = current;
  if (!Array.isArray(allOf)) return current;
  return mergeSchemas([
    siblings,
    ...allOf.filter(isSchema).map((part) => resolveSchema(part, work, depth + 1)),
  ]);
}

/** Returns the schema that a JSON pointer names, or an empty one. */
function schemaAt(reference: string, root: Schema): Schema {
  const names = reference.replace(/^#\/?/, '').split('/').filter(Boolean);
  let current: unknown = root;
  for (const name of names) {
    const key = decoded(name).replaceAll('~1', '/').replaceAll('~0', '~');
    current = isSchema(current) ? lookUp(current, key) : undefined;
  }
  return isSchema(current) ? current : {};
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // a percent sign that encodes nothing stands for itself
  }
}

/** Merges schemas that must all hold. The last value of most keywords counts. */
export function mergeSchemas(schemas: Schema[]): Schema {
  const merged: Schema = {};
  const properties: Schema = {};
  const required: unknown[] = [];
  for (const schema of schemas) {
    Object.assign(merged, schema);
    if (isSchema(schema.properties)) Object.assign(properties, schema.properties);
    if (Array.isArray(schema.required)) required.push(...schema.required);
  }
  if (Object.keys(properties).length > 0) merged.properties = properties;
  if (required.length > 0) merged.required = required;
  return merged;
}
