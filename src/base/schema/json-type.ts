import { isObject } from '../lib/is-object.ts';
import { type JsonType, literalsOf, type SchemaNode } from './schema-node.ts';

export type Fields = Readonly<Record<string, unknown>>;

const accepts: Record<JsonType, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
};

export const typesOf = (node: SchemaNode): readonly JsonType[] =>
  node.type === undefined ? [] : [node.type].flat();

/**
 * Reports whether the value has a JSON type that the schema allows. A schema without a type allows every
 * type.
 */
export function hasTypeOf(node: SchemaNode, value: unknown): boolean {
  const types = typesOf(node);
  return types.length === 0 || types.some((type) => accepts[type](value));
}

/** Reports whether the value has a type that the schema allows. Literals allow their types. */
export function couldBe(node: SchemaNode, value: unknown): boolean {
  const literals = literalsOf(node);
  if (literals === undefined) return hasTypeOf(node, value);
  return literals.some(
    (literal) => literal === value || (literal !== null && typeof literal === typeof value),
  );
}
