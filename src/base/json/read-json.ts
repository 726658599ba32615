import { isObject } from '../lib/is-object.ts';
import type { JsonObject } from './json-body.ts';

/** Returns the value if it is an object, otherwise an empty object. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Returns the value if it is a list, otherwise an empty list. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns the value if it is a text. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Returns the value if it is a number. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;

/** Returns a number, which some hosts send as a text. Returns `NaN` for any other value. */
export const numberIn = (value: unknown): number =>
  typeof value === 'string' ? Number(value) : (numberOf(value) ?? Number.NaN);

/** Returns a list of texts, or undefined for any other value. */
export const textsOf = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;

/** Parses JSON text that must be an object, and throws if it is not. */
export function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (isObject(value)) return value;
  throw new SyntaxError('not a JSON object');
}
