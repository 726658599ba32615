import type { Json } from './call.ts';

/**
 * Returns the paths of members that an answer has and its schema does not name.
 * Objects without named members are free.
 */
export function undescribedMembers(
  schema: Json,
  value: Json,
  resolve: (schema: Json) => Json,
  path = '',
): string[] {
  const { anyOf, oneOf, items, properties, patternProperties, additionalProperties } = resolve(schema);
  const union = anyOf ?? oneOf;
  if (union) {
    const each: string[][] = union.map((one: Json) => undescribedMembers(one, value, resolve, path));
    return each.toSorted((one, other) => one.length - other.length)[0]!;
  }
  if (Array.isArray(value))
    return items ? value.flatMap((item) => undescribedMembers(items, item, resolve, `${path}[]`)) : [];
  if (typeof value !== 'object' || value === null || !properties) return [];
  if (patternProperties || additionalProperties || Object.keys(properties).length === 0) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = `${path}.${name}`;
    return name in properties ? undescribedMembers(properties[name], member, resolve, at) : [at];
  });
}
