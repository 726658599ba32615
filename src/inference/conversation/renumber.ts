import { Refusal } from '../../base/errors/refusal.ts';
import { elementsOf } from '../../base/json/slice-json.ts';
import type { JoinedInput } from './join-input.ts';

const ITEM = /input\[(\d+)\]/;

/**
 * Names the item at fault by its place in the client's own input. For an item of an earlier turn, names
 * `previous`, the member that refers to the turn.
 */
export function renumber(
  refusal: Refusal,
  { input, wholeInput }: Pick<JoinedInput, 'input' | 'wholeInput'>,
  previous: string,
): Refusal {
  const { code, param, message, details } = refusal;
  const place = ITEM.exec(param ?? '')?.[1];
  if (param === null || place === undefined) return refusal;
  const index = Number(place) - (elementsOf(wholeInput).length - elementsOf(input).length);
  const ownParam = index < 0 ? previous : param.replace(ITEM, () => `input[${index}]`);
  return new Refusal(code, {
    ...details,
    param: ownParam,
    message: message.replace(param, () => ownParam),
  });
}
