import { patchPart } from '../../base/json/patch-json.ts';
import { listOf } from '../../base/json/read-json.ts';
import type { StoredTurn } from '../../money/ledger/stored-response.ts';
import type { LossCode } from '../../translation/canonical/loss.ts';
import { type Item, itemsOf, joinLists } from './item-texts.ts';

/** What goes back to a model, and what of it was left out on the way. */
export type ForModel = { items: string; losses: readonly LossCode[] };

/** A turn's items for another request to a model, which may be another one than answered then. */
export function turnForModel({ model, input, output }: StoredTurn, asked: string): ForModel {
  const answered = model === asked ? { items: output, losses: [] } : itemsForAnother(output);
  return { ...answered, items: joinLists([input, answered.items]) };
}

/** Items of whom it may be that another model made them. */
export function itemsForAnother(list: string): ForModel {
  const items = itemsOf(list);
  const kept = items.flatMap((item) => itemForAnother(item) ?? []);
  return { items: `[${kept.join(',')}]`, losses: items.flatMap(lossesForAnother) };
}

/**
 * An item that another model made. Sealed reasoning can be read by its own model only; and without it the item's id must go, since the
 * vendor asks for the reasoning that belongs to the id of a call.
 */
export function itemForAnother({ text, value }: Item): string | undefined {
  if (value.type === 'reasoning') return undefined;
  return value.id === undefined ? text : patchPart(text, { id: null });
}

/** What leaving it out loses. */
export function lossesForAnother({ value: { type, summary, content, encrypted_content } }: Item): LossCode[] {
  if (type !== 'reasoning') return [];
  const isSaid = listOf(summary).length > 0 || listOf(content).length > 0;
  return [
    ...(encrypted_content ? (['replay-token'] as const) : []),
    ...(isSaid ? (['thinking-block'] as const) : []),
  ];
}
