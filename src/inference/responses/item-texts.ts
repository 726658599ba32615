import { elementsOf } from '../../base/json/slice-json.ts';

/** A request's `input` as a list of items, whose texts stay as they were sent; a mere text is a message of the user's. */
export function inputList(text: string): string {
  if (!text.startsWith('"')) return text;
  return `[{"type":"message","role":"user","content":[{"type":"input_text","text":${text}}]}]`;
}

/** Lists of items one after the other as one list. */
export function joinLists(lists: readonly string[]): string {
  const inner = lists.map((list) => list.trim().slice(1, -1).trim()).filter((items) => items !== '');
  return `[${inner.join(',')}]`;
}

export type Item = { text: string; value: Record<string, unknown> };

export const itemsOf = (list: string): Item[] =>
  elementsOf(list).map((text) => ({ text, value: JSON.parse(text) as Record<string, unknown> }));
