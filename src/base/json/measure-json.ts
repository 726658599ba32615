import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './json-characters.ts';
import { stringEnd } from './scan-json.ts';

/**
 * Limits on a text: its nesting depth, its number of top-level members, and its number of values at any
 * depth.
 */
export type JsonBounds = { depth: number; members: number; values: number };

/**
 * The number of top-level members, and of values within lists and objects at any depth. An empty list or
 * object counts as if it had one value.
 */
export type JsonSizes = { members: number; values: number };

/**
 * Scans JSON text once before it is parsed. Returns its sizes, or the bound that the text breaks. Parsers
 * accept millions of nesting levels, but a later serialization fails on them. Strings are skipped, so the
 * cost depends on the structure and not on the prompt's length. Invalid JSON is left to the parser.
 */
export function measureJson(text: string, bounds: JsonBounds): JsonSizes | keyof JsonBounds {
  let depth = 0;
  // The first value of a list or object follows its opening bracket, and each further one follows a comma.
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
  return members > bounds.members ? 'members' : { members, values };
}
