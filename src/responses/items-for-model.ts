import { membersOf, patchJson } from '../protocols/patch-json.ts';
import { type Item, itemsOf, joinLists } from './item-texts.ts';
import type { Turn } from './stored-response.ts';

/** A turn's items for another request to a model, which may be another one than answered then. */
export const turnForModel = ({ model, input, output }: Turn, asked: string): string =>
  joinLists([input, model === asked ? output : outputForAnother(output)]);

const outputForAnother = (output: string): string =>
  `[${itemsOf(output)
    .flatMap((item) => itemForAnother(item) ?? [])
    .join(',')}]`;

/**
 * An item that another model made. Sealed reasoning can be read by its own model only; and without it the item's id must go, since the
 * vendor asks for the reasoning that belongs to the id of a call.
 */
export function itemForAnother({ text, value }: Item): string | undefined {
  if (value.type === 'reasoning') return undefined;
  return value.id === undefined ? text : patchJson(text, membersOf(text), { id: null });
}
