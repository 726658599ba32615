import { stringEnd } from './scan-json.ts';

/** How deep a text may be nested, how many top-level members it may have, and how many values at any depth. */
export type JsonBounds = { depth: number; members: number; values: number };

const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/**
 * One pass over JSON text before it is parsed: how deep it is nested (a parser takes millions of levels, and a later serialisation dies of
 * them) and how many top-level members it has, were it an object; or the bound that it breaks. Strings are jumped over, so the cost goes
 * with the structure and not with the length of the prompt. What is no JSON is left to the parser to refuse.
 */
export function measureJson(text: string, bounds: JsonBounds): number | keyof JsonBounds {
  let depth = 0;
  // Each value but the first stands behind a comma or opens a list or an object.
  let values = 0;
  let members = 1;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === QUOTE) index = stringEnd(text, index) - 1;
    else if (character === COMMA) {
      values++;
      if (depth === 1) members++;
    } else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      values++;
      if (++depth > bounds.depth) return 'depth';
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth--;
    if (values > bounds.values) return 'values';
  }
  return members > bounds.members ? 'members' : members;
}
