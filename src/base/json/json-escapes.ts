import { BACKSLASH } from './json-characters.ts';

const MAX_ESCAPE_LENGTH = '\\u0000'.length;

/** Reports whether the character at an index is escaped, inside the string that opens at `start`. */
export function isEscaped(text: string, index: number, start: number): boolean {
  let before = index - 1;
  while (before > start && text.charCodeAt(before) === BACKSLASH) before--;
  return (index - 1 - before) % 2 === 1;
}

/**
 * Returns the nearest place to cut a string, at or before an index, that is not inside an escape. `start`
 * must not be inside one. It looks back over one escape only: a search for the last backslash would scan all
 * preceding text for each cut.
 */
export function cutBetweenEscapes(text: string, index: number, start: number): number {
  const from = Math.max(start + 1, index - MAX_ESCAPE_LENGTH);
  const offset = text.slice(from, index).lastIndexOf('\\');
  const backslash = from + offset;
  if (offset < 0 || isEscaped(text, backslash, start)) return index;
  const length = text[backslash + 1] === 'u' ? MAX_ESCAPE_LENGTH : 2;
  return backslash + length <= index ? index : backslash;
}
