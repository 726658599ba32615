import { MOST_TOKENS } from '../../translation/canonical/usage.ts';
import type { JsonObject } from './json-body.ts';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object out of foreign JSON, or an empty one. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A whole number: of half a token nobody can be told, and nothing be charged; nor of more than there can be. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= MOST_TOKENS ? Math.floor(value) : undefined;

/** JSON text that has to be an object: anything else is no answer. */
export function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (isObject(value)) return value;
  throw new SyntaxError('not the JSON object that was expected');
}
