import { type JsonMember, stringEnd } from '../http/scan-json.ts';
import type { JsonPatch } from './patch-json.ts';

const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/**
 * The patch's values for the named top-level members of an object's text, which has to be valid JSON. Keeps no list of the members: that is half the cost of
 * a patch, and most patches are of this kind. Undefined where a name is not found as it is spelled.
 */
export function replaceMembers(text: string, names: readonly string[], patch: JsonPatch): string | undefined {
  let left = names.length;
  let replaced = '';
  let copied = 0;
  for (let at = text.indexOf('{') + 1; left > 0; ) {
    const key = text.indexOf('"', at);
    if (key < 0) return undefined;
    const keyEnd = stringEnd(text, key);
    const start = skipSpace(text, text.indexOf(':', keyEnd) + 1);
    at = valueEnd(text, start);
    const name = nameAt(text, { start: key + 1, end: keyEnd - 1 }, names);
    if (name === undefined) continue;
    replaced += text.slice(copied, start) + patch[name];
    copied = at;
    left--;
  }
  return replaced + text.slice(copied);
}

/** Which of the names stands there. */
function nameAt(text: string, { start, end }: JsonMember, names: readonly string[]): string | undefined {
  for (const name of names) {
    if (name.length === end - start && text.startsWith(name, start)) return name;
  }
  return undefined;
}

/** Behind the value that begins at `start`. */
function valueEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return stringEnd(text, start);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return nestedEnd(text, start);
  let end = start;
  for (; end < text.length; end++) {
    const character = text.charCodeAt(end);
    if (character <= SPACE || character === COMMA || character === CLOSE_BRACE) break;
  }
  return end;
}

/** Behind the list or the object that opens at `start`. */
function nestedEnd(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === QUOTE) index = stringEnd(text, index) - 1;
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) depth++;
    else if ((character === CLOSE_BRACE || character === CLOSE_BRACKET) && --depth === 0) return index + 1;
  }
  return text.length;
}

function skipSpace(text: string, index: number): number {
  let at = index;
  while (text.charCodeAt(at) <= SPACE) at++;
  return at;
}
