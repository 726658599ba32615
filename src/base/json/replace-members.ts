import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  skipSpace,
} from './json-characters.ts';
import { type JsonMember, stringEnd } from './scan-json.ts';

export type Replacement = { key: string; text: string };

/**
 * Replaces top-level members in the text of a valid JSON object, and appends `added` after its last member.
 * It builds no list of members, which would double the cost of the common patch. Returns undefined if a key
 * is not found as spelled, or occurs twice in unchecked text.
 */
export function replaceMembers(
  text: string,
  replacements: readonly Replacement[],
  { added, isChecked }: { added: string; isChecked: boolean },
): string | undefined {
  let unreplaced = replacements.length;
  let replaced = '';
  let copied = 0;
  for (let at = text.indexOf('{') + 1; unreplaced > 0; ) {
    const key = text.indexOf('"', at);
    if (key < 0) return undefined;
    const keyEnd = stringEnd(text, key);
    const start = skipSpace(text, text.indexOf(':', keyEnd) + 1);
    at = valueEnd(text, start);
    const replacement = replacementOf(text, { start: key + 1, end: keyEnd - 1 }, replacements);
    if (replacement === undefined) continue;
    replaced = `${replaced}${text.slice(copied, start)}${replacement.text}`;
    copied = at;
    unreplaced--;
  }
  if (!isChecked && occursAfter(text, copied, replacements)) return undefined;
  if (added === '') return replaced + text.slice(copied);
  const close = text.lastIndexOf('}');
  return `${replaced}${text.slice(copied, close)}${added}${text.slice(close)}`;
}

/**
 * Reports whether one of the members occurs again after `place`. Readers take the last of two members with
 * one name. Few texts contain the name there at all.
 */
function occursAfter(text: string, place: number, replacements: readonly Replacement[]): boolean {
  if (!replacements.some(({ key }) => text.includes(`"${key}"`, place))) return false;
  for (let at = place; ; ) {
    const key = text.indexOf('"', at);
    if (key < 0) return false;
    const keyEnd = stringEnd(text, key);
    at = valueEnd(text, skipSpace(text, text.indexOf(':', keyEnd) + 1));
    if (replacementOf(text, { start: key + 1, end: keyEnd - 1 }, replacements)) return true;
  }
}

/** Returns the replacement for the member whose key starts at this place, if there is one. */
function replacementOf(
  text: string,
  { start, end }: JsonMember,
  replacements: readonly Replacement[],
): Replacement | undefined {
  for (const replacement of replacements) {
    const { key } = replacement;
    if (key.length === end - start && text.startsWith(key, start)) return replacement;
  }
  return undefined;
}

/** Returns the index after the value that begins at `start`. */
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

/** Returns the index after the list or object that opens at `start`. */
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
