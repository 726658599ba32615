import { elementsOf } from '../../base/json/slice-json.ts';

/** A part of a list of items, as a JSON list. `items` is the number of its listed items. */
export type ListPart = { text: string; items: number };

/** The size of a part, which is read whole for a page of items. Parsing it takes a third of a millisecond. */
const PART_CHARACTERS = 64 * 1024;

/** The beginning of an encrypted item of reasoning. */
export const SEALED_REASONING = '"sealed1-reasoning';

/** Reports whether an item is reasoning. */
export const isReasoning = (text: string): boolean =>
  text.startsWith(SEALED_REASONING) ||
  (text.includes('"reasoning"') && (JSON.parse(text) as { type?: unknown }).type === 'reasoning');

/** Reports whether a listing shows the item. Reasoning that a model wrote is not listed. */
export const isListed = (text: string, isOutput: boolean): boolean => !isOutput || !isReasoning(text);

/** Counts the items of an input. A listing shows all of them. */
export const countInput = (list: string): number => elementsOf(list).length;

/** Counts the items of an output that a listing shows. */
export const countOutput = (list: string): number =>
  elementsOf(list).filter((text) => !isReasoning(text)).length;

/** Splits a list with a known count into parts of about 64 KB. A longer item is a part by itself. */
export function splitList(
  list: string,
  { items, isOutput }: { items: number; isOutput: boolean },
): ListPart[] {
  if (list.length <= PART_CHARACTERS) return [{ text: list, items }];
  const parts: ListPart[] = [];
  let texts: string[] = [];
  let characters = 0;
  const close = () => {
    if (texts.length === 0) return;
    const shown = texts.filter((text) => isListed(text, isOutput));
    parts.push({ text: `[${texts.join(',')}]`, items: shown.length });
    texts = [];
    characters = 0;
  };
  for (const text of elementsOf(list)) {
    if (characters + text.length > PART_CHARACTERS) close();
    texts.push(text);
    characters += text.length;
  }
  close();
  return parts;
}
