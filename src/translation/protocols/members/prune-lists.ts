import type { JsonObject } from '../../../base/json/json-body.ts';
import type { Path } from '../../../base/schema/format-path.ts';

type List = { path: Path; gone: Set<unknown> };

/** The places of elements, or of what holds their list where nothing would be left in it. */
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
      // A member of the body goes by itself; elsewhere the object goes whose list it was.
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
