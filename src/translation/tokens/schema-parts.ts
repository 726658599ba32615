import { isObject } from '../../base/lib/is-object.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import { inJson, linesIn } from './tool-values.ts';

/** Returns the lines of the texts that describe a schema. */
export function descriptionOf(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const { title, description, examples } = schema;
  return [
    ...(title === undefined ? [] : [...linesIn(title), '']),
    ...linesIn(description),
    ...(Array.isArray(examples)
      ? ['Examples:', ...examples.map((example) => `- ${inJson(example)}`)]
      : linesIn(examples)),
  ];
}

/**
 * The named types, and those that the other keywords imply. The values of a list stand for the type `string`.
 */
export function kindsOf({ type, properties, items, prefixItems, enum: values }: Fields): Set<unknown> {
  const kinds = new Set<unknown>(asList(type));
  if (properties !== undefined) kinds.add('object');
  if (items !== undefined || prefixItems !== undefined) kinds.add('array');
  if (Array.isArray(values) && values.length > 0) kinds.delete('string');
  return kinds;
}

/** Returns a list as it is, and another value as a list of one. */
export function asList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined ? [] : [value];
}

/** Returns the required names that the schema has no property for. */
export function missingProperties({ required, properties }: Fields): unknown[] {
  const members = isObject(properties) ? properties : {};
  return Array.isArray(required)
    ? required.filter((name) => typeof name !== 'string' || !Object.hasOwn(members, name))
    : [];
}

/** Returns the part of the root that a reference within the same schema points to. */
export function definitionAt(pointer: string, root: Fields): unknown {
  if (!pointer.startsWith('#')) return undefined;
  let value: unknown = root;
  for (const step of pointer.split('/').slice(1)) {
    if (!isObject(value)) return undefined;
    value = lookUp(value, step.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return value;
}
