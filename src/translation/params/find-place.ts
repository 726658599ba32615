import type { JsonObject } from '../../base/json/json-body.ts';
import { isObject } from '../../base/lib/is-object.ts';

type PartSearch = {
  isWanted: (part: JsonObject) => boolean;
  /** The members of a part that hold further parts. */
  holders: readonly string[];
};

/**
 * Returns the path from a value to the first part that matches.
 * Searches lists and, recursively, the holders of their elements.
 */
function findPart(value: unknown, search: PartSearch): string | undefined {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const inner = findPart(value[index], search);
      if (inner !== undefined) return `[${index}]${inner}`;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (search.isWanted(value)) return '';
  for (const holder of search.holders) {
    const held = value[holder];
    const inner = typeof held === 'object' ? findPart(held, search) : undefined;
    if (inner !== undefined) return `.${holder}${inner}`;
  }
  return undefined;
}

/** Runs a search and returns the path as the place of a need. */
export function findPlace(value: unknown, name: string, search: PartSearch): { path: string } | undefined {
  const path = findPart(value, search);
  return path === undefined ? undefined : { path: name + path };
}
