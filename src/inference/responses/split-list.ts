import { elementsOf } from '../../base/json/slice-json.ts';

/** A piece of a JSON list of items that is a list itself. `items`: those of it that a listing shows. */
export type ListPart = { text: string; items: number };

/** What is read for a page of items: as much is parsed in a third of a millisecond. */
const PART_CHARACTERS = 64 * 1024;

/** What a listing shows of what was said: reasoning stays out of it where a model wrote it. */
export const isListed = (text: string, isOutput: boolean): boolean =>
  !isOutput || !text.includes('"reasoning"') || (JSON.parse(text) as { type?: unknown }).type !== 'reasoning';

/** How many of a list's items a listing shows. */
export const countListed = (list: string, isOutput: boolean): number =>
  elementsOf(list).filter((text) => isListed(text, isOutput)).length;

/** A list whose count is known, in parts of about 64 KB; an item that is longer is a part by itself. */
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
