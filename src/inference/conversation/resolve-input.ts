import { Refusal } from '../../base/errors/refusal.ts';
import { printable } from '../../base/schema/printable.ts';
import type { LossCode } from '../../translation/canonical/loss.ts';
import { isReference } from '../../translation/protocols/responses/item-reference.ts';
import type { ItemFinder } from '../responses/item-finder.ts';
import { type Item, itemsOf } from '../responses/item-texts.ts';
import { itemForAnother, lossesForAnother, type ModelItems } from './model-items.ts';

type ItemValue = Record<string, unknown>;

/**
 * Reports whether the client sent only the id of a reasoning item. The vendor stores nothing for the gateway,
 * so it would not find the item.
 */
const isBareReasoning = ({ type, encrypted_content, content }: ItemValue): boolean =>
  type === 'reasoning' && !encrypted_content && !(Array.isArray(content) && content.length > 0);

/** Reports whether an input holds items that only the gateway can complete. */
export const needsItems = (input: unknown): boolean =>
  Array.isArray(input) && input.some((item: ItemValue) => isReference(item) || isBareReasoning(item));

/** Returns the list of items, with each reference replaced by its item. */
export async function resolveInput(
  list: string,
  finder: ItemFinder,
  model: string,
): Promise<ModelItems | Refusal> {
  const resolved: ResolvedItem[] = [];
  for (const [index, item] of itemsOf(list).entries()) {
    const resolvedItem = await resolveItem(item, finder, model);
    if (resolvedItem instanceof Refusal) return resolvedItem;
    if (resolvedItem === 'unknown') return unknownItem(String(item.value.id), index);
    resolved.push(resolvedItem);
  }
  return {
    items: `[${resolved.flatMap(({ text }) => text ?? []).join(',')}]`,
    losses: resolved.flatMap(({ losses = [] }) => losses),
  };
}

/** The text of a resolved item, or undefined if the item is dropped, and the resulting losses. */
type ResolvedItem = { text: string | undefined; losses?: readonly LossCode[] };

async function resolveItem(
  item: Item,
  finder: ItemFinder,
  model: string,
): Promise<ResolvedItem | Refusal | 'unknown'> {
  const { value, text } = item;
  if (!isReference(value) && !isBareReasoning(value)) return { text };
  const stored = value.id == null ? undefined : await finder.find(String(value.id));
  if (stored instanceof Refusal) return stored;
  if (stored === undefined) return isReference(value) ? 'unknown' : { text: undefined };
  if (stored.model !== model) return { text: itemForAnother(stored), losses: lossesForAnother(stored) };
  return { text: isBareReasoning(stored.value) ? undefined : stored.text };
}

const unknownItem = (id: string, index: number): Refusal =>
  new Refusal('not_found', {
    param: `input[${index}].id`,
    message: `There is no stored item '${printable(id, 80)}': it is unknown, was deleted or has expired.`,
  });
