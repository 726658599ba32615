import { type JsonMember, memberBetween, scanJson, stringEnd } from './scan-json.ts';

/**
 * Returns the text of the value at a path inside valid JSON text, as it was sent, or undefined if the path
 * does not exist.
 *
 * @example
 * sliceJson('{"a": [1, {"b": 2}]}', ['a', 1]); // → '{"b": 2}'
 */
export function sliceJson(text: string, path: readonly (string | number)[]): string | undefined {
  let current: string | undefined = text;
  for (const step of path) {
    if (current === undefined) return undefined;
    current = typeof step === 'number' ? elementsOf(current)[step] : memberOf(current, step);
  }
  return current;
}

function memberOf(text: string, key: string): string | undefined {
  const scanned = scanJson(text);
  if (scanned === 'depth') return undefined;
  // A name can occur twice below the top level.
  const member = (scanned instanceof Map ? scanned : scanned.members).get(key);
  return member && text.slice(member.start, member.end);
}

/**
 * Returns the texts of a list's elements, as they were sent, in one pass. Returns an empty list if the text
 * is not a list.
 *
 * @example
 * elementsOf('[1, {"b": 2}]'); // → ['1', '{"b": 2}']
 */
export const elementsOf = (text: string): string[] =>
  elementPlaces(text).map(({ start, end }) => text.slice(start, end));

/** Returns the places of a list's elements in its text. */
export function elementPlaces(text: string): JsonMember[] {
  const places: JsonMember[] = [];
  let depth = 0;
  let from = text.indexOf('[') + 1;
  if (from === 0 || text.slice(0, from).trim() !== '[') return places;
  for (let at = from; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"') at = stringEnd(text, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if (depth === 0 && (character === ',' || character === ']')) {
      const place = memberBetween(text, from, at);
      if (place.start < place.end) places.push(place);
      if (character === ']') return places;
      from = at + 1;
    } else if (character === '}' || character === ']') depth--;
  }
  return places;
}
