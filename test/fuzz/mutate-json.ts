import type { Draw } from './draw.ts';
import { oddJson } from './odd-json.ts';

/**
 * A value whose members are kept as texts where they were changed, so that it can be formatNode with names
 * twice or numbers of any size.
 */
type Node = { text: string } | { list: Node[] } | { members: [name: string, value: Node][] };

type Place = { holder: Node; at: number };

/** Changes a JSON text at one or a few places. A text that is not JSON comes back as it is. */
export function mutateJson(json: string, draw: Draw): string {
  const root = parsed(json);
  if (root === undefined) return json;
  const changes = draw.chance(0.7) ? 1 : draw.between(2, 4);
  for (let count = 0; count < changes; count++) {
    const places = placesIn(root);
    if (places.length === 0) return oddJson(draw);
    draw.of(jsonChanges)(draw.of(places), draw);
  }
  return formatNode(root);
}

type Change = (place: Place, draw: Draw) => void;

const entryAt = ({ holder, at }: Place): Node =>
  'list' in holder ? holder.list[at]! : (holder as { members: [string, Node][] }).members[at]![1];

function put({ holder, at }: Place, node: Node): void {
  if ('list' in holder) holder.list[at] = node;
  else if ('members' in holder) holder.members[at]![1] = node;
}

function partsOf(holder: Node): unknown[] {
  if ('list' in holder) return holder.list;
  return 'members' in holder ? holder.members : [];
}

const otherCase = (name: string, draw: Draw): string =>
  draw.chance(0.5) ? name.toUpperCase() : name.slice(0, 1).toUpperCase() + name.slice(1);

const replaceByOdd: Change = (place, draw) => put(place, { text: oddJson(draw) });

const jsonChanges: readonly Change[] = [
  replaceByOdd,
  replaceByOdd,
  replaceByOdd,
  ({ holder, at }) => void partsOf(holder).splice(at, 1),
  ({ holder, at }) => void partsOf(holder).splice(at, 0, partsOf(holder)[at]),
  // The same name twice, with another value.
  ({ holder, at }, draw) => {
    if ('members' in holder) holder.members.push([holder.members[at]![0], { text: oddJson(draw) }]);
    else replaceByOdd({ holder, at }, draw);
  },
  ({ holder, at }, draw) => {
    if ('members' in holder) holder.members[at]![0] = otherCase(holder.members[at]![0], draw);
  },
  ({ holder }, draw) => {
    if ('members' in holder) holder.members.splice(draw.below(3), 0, ['x_odd', { text: oddJson(draw) }]);
  },
  ({ holder, at }, draw) => {
    const parts = partsOf(holder);
    const [moved] = parts.splice(at, 1);
    parts.push(...Array(draw.chance(0.2) ? draw.between(2, 40) : 1).fill(moved));
  },
  (place) => put(place, { list: [entryAt(place)] }),
  (place) => {
    const { text } = entryAt(place) as { text?: string };
    if (text !== undefined) put(place, { text: /^"/.test(text) ? '7' : JSON.stringify(text) });
  },
  (place, draw) => {
    const { text } = entryAt(place) as { text?: string };
    if (text !== undefined && /^-?\d/.test(text))
      put(place, { text: draw.of(['-1', '1e308', '0.5', '1e18', '-0']) });
    else replaceByOdd(place, draw);
  },
];

function parsed(json: string): Node | undefined {
  try {
    return nodeOf(JSON.parse(json));
  } catch {
    return undefined;
  }
}

function nodeOf(value: unknown): Node {
  if (Array.isArray(value)) return { list: value.map(nodeOf) };
  if (typeof value !== 'object' || value === null) return { text: JSON.stringify(value) };
  return { members: Object.entries(value).map(([name, member]) => [name, nodeOf(member)]) };
}

function placesIn(root: Node): Place[] {
  const places: Place[] = [];
  const look = (holder: Node): void => {
    if ('text' in holder) return;
    for (let at = 0; at < partsOf(holder).length; at++) {
      places.push({ holder, at });
      look(entryAt({ holder, at }));
    }
  };
  look(root);
  return places;
}

function formatNode(node: Node): string {
  if ('text' in node) return node.text;
  if ('list' in node) return `[${node.list.map(formatNode).join(',')}]`;
  return `{${node.members.map(([name, value]) => `${JSON.stringify(name)}:${formatNode(value)}`).join(',')}}`;
}
