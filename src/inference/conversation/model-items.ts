import { patchPart } from '../../base/json/patch-json.ts';
import { listOf } from '../../base/json/read-json.ts';
import type { StoredTurn } from '../../money/ledger/stored-response.ts';
import type { LossCode } from '../../translation/canonical/loss.ts';
import { type Item, itemsOf, joinLists } from '../responses/item-texts.ts';

/** The items to send to a model, and the losses for omitted items. */
export type ModelItems = { items: string; losses: readonly LossCode[] };

/**
 * Returns a turn's items for a new request to the target model, which may differ from the model that answered
 * the turn.
 */
export function turnForModel({ model, input, output }: StoredTurn, targetModel: string): ModelItems {
  const answered = model === targetModel ? { items: output, losses: [] } : itemsForAnother(output);
  return { ...answered, items: joinLists([input, answered.items]) };
}

/** Returns the items of a list, adapted for a model that may not have made them. */
export function itemsForAnother(list: string): ModelItems {
  const items = itemsOf(list);
  const visible = items.flatMap((item) => itemForAnother(item) ?? []);
  return { items: `[${visible.join(',')}]`, losses: items.flatMap(lossesForAnother) };
}

/**
 * Adapts an item that another model made. Only its own model can read encrypted reasoning, so reasoning is
 * dropped. The item's id is removed, since the vendor would ask for the reasoning that belongs to the id of a
 * call.
 */
export function itemForAnother({ text, value }: Item): string | undefined {
  if (value.type === 'reasoning') return undefined;
  return value.id === undefined ? text : patchPart(text, { id: null });
}

/** Returns the losses caused by dropping the item. */
export function lossesForAnother({ value: { type, summary, content, encrypted_content } }: Item): LossCode[] {
  if (type !== 'reasoning') return [];
  const isReadable = listOf(summary).length > 0 || listOf(content).length > 0;
  return [
    ...(encrypted_content ? (['replay-token'] as const) : []),
    ...(isReadable ? (['thinking-block'] as const) : []),
  ];
}
