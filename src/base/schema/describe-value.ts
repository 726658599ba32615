import { lookUp } from '../lib/records.ts';
import { printable } from './printable.ts';
import type { JsonType, Literal } from './schema-node.ts';

export const typeNouns: Record<JsonType, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  null: 'null',
  array: 'an array',
  object: 'an object',
};

/** Names the type of a value: "a string", "an array", "null". */
export function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return typeNouns.array;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return lookUp(typeNouns, typeof value) ?? typeof value;
}

/**
 * Returns the value itself if it is short, otherwise its type.
 *
 * @example
 * describeValue('x'); // → "'x'"
 * describeValue({ a: 1 }); // → 'an object'
 */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return `'${printable(value)}'`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return describeType(value);
}

export const describeLiteral = (literal: Literal): string =>
  literal === '' ? "''" : printable(String(literal), 80);

/**
 * Joins words into a list: "a", "a or b", "a, b or c".
 *
 * @example
 * listed(['a', 'b', 'c']); // → 'a, b or c'
 */
export function listed(words: readonly string[], lastWord = 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${lastWord} ${words.at(-1)}`;
}
