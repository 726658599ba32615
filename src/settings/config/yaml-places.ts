import { type Document, isAlias, isMap, isScalar, isSeq, type Pair } from 'yaml';
import { showPlaceholders } from './placeholder.ts';

export type YamlPath = readonly (string | number)[];

type Placed = { range?: readonly number[] | null };

export const offsetOf = (node: unknown): number => (node as Placed | null)?.range?.[0] ?? 0;
const endOf = (node: unknown): number => (node as Placed | null)?.range?.[2] ?? 0;

/**
 * Returns a mapping's key as written in the file (`4.10` stays `4.10`). Returns undefined if the key is not
 * plain text.
 */
export function keyName(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  const text = key.type === 'PLAIN' ? (key.source ?? String(key.value)) : String(key.value);
  return showPlaceholders(text);
}

const pairNamed = (pairs: readonly Pair[], name: string | number | undefined): Pair | undefined =>
  pairs.find(({ key }) => keyName(key) === String(name));

/** Returns the offset of a field's key or of a list item, or of the nearest existing ancestor. */
export function keyOrItemAt(document: Document, path: YamlPath): number {
  let node: unknown = document.contents;
  let offset = offsetOf(node);
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = pairNamed(node.items, step);
      if (!pair) return offset;
      offset = offsetOf(pair.key);
      node = pair.value;
    } else if (isSeq(node) && node.items[Number(step)] !== undefined) {
      node = node.items[Number(step)];
      offset = offsetOf(node);
    } else return offset;
  }
  return offset;
}

const lastBefore = <Item>(items: readonly Item[], starts: (item: Item) => number, offset: number): number =>
  items.findLastIndex((item) => starts(item) <= offset);

/** Returns the path of the node at an offset. */
export function pathAt(root: unknown, offset: number): YamlPath {
  const path: (string | number)[] = [];
  let node = root;
  while ((isMap(node) || isSeq(node)) && offset <= endOf(node)) {
    if (isSeq(node)) {
      const index = lastBefore(node.items, offsetOf, offset);
      if (index < 0) break;
      path.push(index);
      node = node.items[index];
    } else {
      const pair: Pair | undefined = node.items[lastBefore(node.items, ({ key }) => offsetOf(key), offset)];
      const name = keyName(pair?.key);
      if (name === undefined) break;
      path.push(name);
      node = pair?.value;
    }
  }
  return path;
}
