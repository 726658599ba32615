import { elementsOf } from '../../base/json/slice-json.ts';

/** Returns a request's `input` as a list of items, each with its original text. A plain text becomes one user message. */
export function inputList(text: string): string {
  if (!text.startsWith('"')) return text;
  return `[{"type":"message","role":"user","content":[{"type":"input_text","text":${text}}]}]`;
}

/** Joins lists of items into one list. */
export function joinLists(lists: readonly string[]): string {
  const inner = lists.map((list) => list.trim().slice(1, -1).trim()).filter((items) => items !== '');
  return `[${inner.join(',')}]`;
}

export type Item = { text: string; value: Record<string, unknown> };

export const itemsOf = (list: string): Item[] =>
  elementsOf(list).map((text) => ({ text, value: JSON.parse(text) as Record<string, unknown> }));
