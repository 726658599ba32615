import { elementsOf } from '../../base/json/slice-json.ts';

/** Joins lists of items into one list. */
export function joinLists(lists: readonly string[]): string {
  const inner = lists.map((list) => list.trim().slice(1, -1).trim()).filter((items) => items !== '');
  return `[${inner.join(',')}]`;
}

/** An item of a list, with the text that its client or its model wrote. */
export type Item = { text: string; value: Record<string, unknown> };

/** Splits the JSON text of a list into its items. */
export const itemsOf = (list: string): Item[] =>
  elementsOf(list).map((text) => ({ text, value: JSON.parse(text) as Record<string, unknown> }));
