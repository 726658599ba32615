import { Refusal } from '../../base/errors/refusal.ts';
import { elementsOf } from '../../base/json/slice-json.ts';

/** `previous`: the member that refers to the earlier turns. */
type Lists = { whole: string; input: string; previous: string };

const ITEM = /input\[(\d+)\]/;

/**
 * Names the item at fault by its place in the client's own input. For an item of an earlier turn, names the
 * member that refers to the turn.
 */
export function renumber(refusal: Refusal, lists: Lists): Refusal {
  const { code, param, message, details } = refusal;
  const place = ITEM.exec(param ?? '')?.[1];
  if (param === null || place === undefined) return refusal;
  const index = Number(place) - (elementsOf(lists.whole).length - elementsOf(lists.input).length);
  const ownParam = index < 0 ? lists.previous : param.replace(ITEM, () => `input[${index}]`);
  return new Refusal(code, {
    ...details,
    param: ownParam,
    message: message.replace(param, () => ownParam),
  });
}
