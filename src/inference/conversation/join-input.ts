import type { LossCode } from '../../translation/canonical/loss.ts';
import { joinLists } from '../responses/item-texts.ts';
import type { ModelItems } from './model-items.ts';

/** The input of a request, together with the turns that it continues. */
export type JoinedInput = {
  /** The items of the request alone, with each reference replaced by its item. */
  input: string;
  /** The items of the earlier turns, and then the items of the request. */
  wholeInput: string;
  losses: readonly LossCode[];
  /** True if the client has sent `wholeInput`: no turn comes before it, and no item was replaced. */
  isUnchanged: boolean;
};

/** Joins the earlier turns with the input of a request. `sent` is that input before it was resolved. */
export function joinInput(
  turns: readonly ModelItems[],
  { sent, resolved }: { sent: string; resolved: ModelItems },
): JoinedInput {
  const { items: input, losses } = resolved;
  if (turns.length === 0) return { input, wholeInput: input, losses, isUnchanged: input === sent };
  const parts = [...turns, resolved];
  return {
    input,
    wholeInput: joinLists(parts.map(({ items }) => items)),
    losses: parts.flatMap((part) => part.losses),
    isUnchanged: false,
  };
}
