import type { JsonObject } from '../../base/json/json-body.ts';
import type { Path } from '../../base/schema/format-path.ts';

type List = { path: Path; gone: Set<unknown> };

/** Returns the paths to remove: the elements, or the holder of their list if the list would become empty. */
export function pruneLists(body: JsonObject, elements: readonly Path[]): Path[] {
  const lists = new Map<string, List>();
  const take = (element: Path): void => {
    const path = element.slice(0, -1);
    const key = JSON.stringify(path);
    const list = lists.get(key) ?? { path, gone: new Set<unknown>() };
    list.gone.add(element.at(-1));
    lists.set(key, list);
  };
  for (const element of elements) take(element);
  const members: Path[] = [];
  const deepest = Math.max(...elements.map(({ length }) => length));
  for (let depth = deepest; depth > 0; depth--) {
    for (const [key, { path, gone }] of lists) {
      if (path.length !== depth || gone.size < lengthAt(body, path)) continue;
      lists.delete(key);
      // An empty list that is a member of the body is removed itself.
      // Elsewhere the object that holds the list is removed.
      if (depth === 1) members.push(path);
      else take(path.slice(0, -1));
    }
  }
  const left = [...lists.values()].flatMap(({ path, gone }) =>
    [...gone].map((last) => [...path, last as number]),
  );
  return [...members, ...left];
}

const lengthAt = (body: JsonObject, path: Path): number =>
  (path.reduce<unknown>((at, step) => (at as JsonObject)[step], body) as unknown[]).length;
