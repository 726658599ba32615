import type { JsonBody } from '../../../base/json/json-body.ts';
import { elementsOf, sliceJson } from '../../../base/json/slice-json.ts';

/** The input of the call at a place, as it was sent: parsing would round its large numbers. */
export type InputTexts = (turn: number, block: number) => string;

/** The text is cut up at the first question, and each turn once: most requests never ask. */
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

/** The text of a member of the body itself. */
export function memberText({ text, members }: JsonBody, name: string): string {
  const member = members.get(name);
  return member ? text.slice(member.start, member.end) : '';
}
