import type { JsonObject } from '../http/json-body.ts';
import { isObject } from './read-json.ts';

export type PartSearch = {
  isWanted: (part: JsonObject) => boolean;
  /** The members of a part that hold further parts. */
  holders: readonly string[];
};

/** The path of the first part that is wanted, in a list, in the parts of its elements, and so on. */
export function findPart(value: unknown, path: string, search: PartSearch): string | undefined {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = findPart(value[index], `${path}[${index}]`, search);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (search.isWanted(value)) return path;
  for (const holder of search.holders) {
    const inner = value[holder];
    const found = typeof inner === 'object' ? findPart(inner, `${path}.${holder}`, search) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A search as a place of need. */
export function findPlace(value: unknown, name: string, search: PartSearch): { path: string } | undefined {
  const path = findPart(value, name, search);
  return path === undefined ? undefined : { path };
}
