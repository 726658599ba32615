import { measureJson } from './measure-json.ts';

/** No meaningful answer comes near this depth. Parsers and patches slow down only far beyond it. */
export const MAX_ANSWER_DEPTH = 1_000;

const BOUNDS = {
  depth: MAX_ANSWER_DEPTH,
  members: Number.POSITIVE_INFINITY,
  values: Number.POSITIVE_INFINITY,
};

/**
 * Reports whether JSON of an upstream exceeds that depth. Most texts have too few brackets, which is cheap to
 * check.
 */
export const isTooDeep = (text: string): boolean =>
  text.length > 2 * MAX_ANSWER_DEPTH && hasManyBrackets(text) && measureJson(text, BOUNDS) === 'depth';

function hasManyBrackets(text: string): boolean {
  let left = MAX_ANSWER_DEPTH;
  for (const bracket of ['[', '{'])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (--left < 0) return true;
  return false;
}
