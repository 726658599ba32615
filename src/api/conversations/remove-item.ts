import { elementsOf } from '../../base/json/slice-json.ts';
import type { NumberedPart } from '../../inference/conversation/conversation-store.ts';
import type { PlacedItem } from './conversation-pages.ts';

/** Returns the part without one of its items, both as clients see it and as models get it. */
export function removeItem({ part, list, index }: PlacedItem): NumberedPart {
  const shown = elementsOf(part[list]);
  const sentList = list === 'shownInput' ? 'input' : 'output';
  return {
    ...part,
    [list]: without(shown, index),
    [sentList]: without(elementsOf(part[sentList]), placeSent(shown, elementsOf(part[sentList]), index)),
  };
}

const isReasoning = (text: string): boolean => (JSON.parse(text) as { type?: unknown }).type === 'reasoning';

/**
 * Returns the place of a shown item among those that models get. Hidden reasoning is not shown, so the item
 * is the same one by its number among the items of its kind. Returns -1 for reasoning of which only a part is
 * shown.
 */
function placeSent(shown: readonly string[], sent: readonly string[], index: number): number {
  const isOfKind = (text: string) => isReasoning(text) === isReasoning(shown[index]!);
  const places = [...sent.keys()].filter((at) => isOfKind(sent[at]!));
  if (places.length !== shown.filter(isOfKind).length) return -1;
  return places[shown.slice(0, index).filter(isOfKind).length] ?? -1;
}

const without = (items: readonly string[], index: number): string =>
  `[${items.filter((_, at) => at !== index).join(',')}]`;
