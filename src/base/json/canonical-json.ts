import { isObject } from '../lib/is-object.ts';

/**
 * Returns JSON text with keys in order at every level and without white space, as Claude Code forms it for
 * its checksum.
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(inOrder(value));

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, inOrder(value[key])]));
}
