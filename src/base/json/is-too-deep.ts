import { measureJson } from './measure-json.ts';

/** No answer that means something comes near it; parsers and patches slow down far above it. */
export const MAX_ANSWER_DEPTH = 1_000;

const BOUNDS = {
  depth: MAX_ANSWER_DEPTH,
  members: Number.POSITIVE_INFINITY,
  values: Number.POSITIVE_INFINITY,
};

/** Whether JSON of an upstream's is nested deeper than that. Most of it has too few brackets, which costs next to nothing to see. */
export const isTooDeep = (text: string): boolean =>
  text.length > 2 * MAX_ANSWER_DEPTH && hasManyBrackets(text) && measureJson(text, BOUNDS) === 'depth';

function hasManyBrackets(text: string): boolean {
  let left = MAX_ANSWER_DEPTH;
  for (const bracket of ['[', '{'])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (--left < 0) return true;
  return false;
}
