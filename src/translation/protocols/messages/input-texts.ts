import type { JsonBody } from '../../../base/json/json-body.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { elementsOf, sliceJson } from '../../../base/json/slice-json.ts';

/**
 * Returns the input text of the call at a place, as the client sent it. Parsing would round large numbers.
 */
export type InputTexts = (turn: number, block: number) => string;

/**
 * Creates the look-up. The body is split on the first call and each turn once, since most requests need
 * neither.
 */
export function inputTexts(body: JsonBody): InputTexts {
  let turns: string[] | undefined;
  const blocks = new Map<number, string[]>();
  const blocksOf = (turn: number): string[] => {
    turns ??= elementsOf(memberText(body, 'messages'));
    let cut = blocks.get(turn);
    if (cut === undefined) {
      cut = elementsOf(sliceJson(turns[turn] ?? '{}', ['content']) ?? '[]');
      blocks.set(turn, cut);
    }
    return cut;
  };
  return (turn, block) => {
    const input = sliceJson(blocksOf(turn)[block] ?? '{}', ['input']);
    return input?.startsWith('{') ? input : '{}';
  };
}
