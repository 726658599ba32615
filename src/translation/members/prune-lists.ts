import type { JsonObject } from '../../base/json/json-body.ts';
import { listOf } from '../../base/json/read-json.ts';
import { valueAt } from '../../base/json/value-at.ts';
import type { Path } from '../../base/schema/format-path.ts';

/**
 * Returns the paths to remove for elements of lists, so that no list becomes empty. If a list would lose all
 * elements, its holder is removed: the member of the body, or the object that holds the list.
 *
 * @example
 * const body = { tools: [{ type: 'namespace', tools: [{}, {}] }, {}] };
 * pruneLists(body, [['tools', 0, 'tools', 1]]); // → [['tools', 0, 'tools', 1]]
 * pruneLists(body, [['tools', 0, 'tools', 0], ['tools', 0, 'tools', 1]]); // → [['tools', 0]]
 * pruneLists(body, [['tools', 0], ['tools', 1]]); // → [['tools']]
 */
export function pruneLists(body: JsonObject, elements: readonly Path[]): Path[] {
  const byList = Map.groupBy(elements, (element) => JSON.stringify(element.slice(0, -1)));
  const { emptied = [], kept = [] } = Object.groupBy(byList.values(), (removed) =>
    isEmptied(body, removed) ? 'emptied' : 'kept',
  );
  const remaining = kept.flat();
  if (emptied.length === 0) return remaining;
  // The holder can itself be an element of a list, which it may empty.
  return pruneLists(body, [...emptied.map(holderOf), ...remaining]);
}

/** Reports whether a list loses all elements with `removed`, which are paths of its elements. */
function isEmptied(body: JsonObject, removed: readonly Path[]): boolean {
  const [element = []] = removed;
  const isMember = element.length === 1;
  const indexes = new Set(removed.map((path) => path.at(-1)));
  return !isMember && indexes.size >= listOf(valueAt(body, element.slice(0, -1))).length;
}

/** Returns what is removed in place of a list's elements: a member of the body, or the list's object. */
const holderOf = ([element = []]: readonly Path[]): Path => element.slice(0, element.length === 2 ? 1 : -2);
