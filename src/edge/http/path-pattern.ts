/** The expression of a path with parameters, and their names in its order. */
export type PathPattern = { expression: RegExp; names: readonly string[] };

/**
 * Compiles a path. `{name}` matches one segment, and `{name*}` matches the rest.
 *
 * @example
 * compilePath('/v1/models/{id}').expression.exec('/v1/models/gpt')?.[1]; // → 'gpt'
 */
export function compilePath(path: string): PathPattern {
  const names: string[] = [];
  const source = path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => {
    names.push(name);
    return rest ? '(.+)' : '([^/]+)';
  });
  return { expression: new RegExp(`^${source}$`), names };
}

/** Returns the parameters of a match, or undefined if a percent escape is invalid. */
export function decodeParams(
  names: readonly string[],
  found: RegExpExecArray,
): Record<string, string> | undefined {
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1]!)]));
  } catch {
    return undefined;
  }
}
