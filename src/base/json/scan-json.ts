import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from './json-characters.ts';

/** The place of a top-level member's value in the text. */
export type JsonMember = { start: number; end: number };

/** A name that occurs twice. `members` holds the last value of each name, which is the one that counts. */
export type Duplicate = { duplicate: string; members: ReadonlyMap<string, JsonMember> };

/** Deeper than any accepted request body. The limit is meant for upstream answers. */
const MAX_DEPTH = 1_000;

/**
 * Finds the places of the top-level members in JSON text, so that a value can be replaced in the sender's own
 * bytes. Strings are skipped, so the cost depends on the structure and not on the length.
 */
export function scanJson(text: string): Map<string, JsonMember> | 'depth' | Duplicate {
  const members = new Map<string, JsonMember>();
  let depth = 0;
  let key = '';
  let keyStart = -1;
  let keyEnd = -1;
  let valueStart = -1;
  let duplicate: string | undefined;

  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === QUOTE) {
      const end = stringEnd(text, index);
      if (depth === 1 && valueStart < 0) {
        keyStart = index;
        keyEnd = end;
      }
      index = end - 1;
      continue;
    }
    if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      if (++depth > MAX_DEPTH) return 'depth';
      continue;
    }
    const closes = character === CLOSE_BRACE || character === CLOSE_BRACKET;
    if (closes) depth--;
    if (closes ? depth === 0 : depth === 1 && character === COMMA) {
      if (valueStart >= 0) {
        if (members.has(key)) duplicate = key;
        members.set(key, memberBetween(text, valueStart, index));
      }
      valueStart = -1;
      keyStart = -1;
    } else if (depth === 1 && character === COLON && valueStart < 0 && keyStart >= 0) {
      key = readKey(text, keyStart, keyEnd);
      valueStart = index + 1;
    }
  }
  return duplicate === undefined ? members : { duplicate, members };
}

/** Returns the place without the whitespace around it. A place of nothing but whitespace becomes empty. */
export function memberBetween(text: string, from: number, to: number): JsonMember {
  let start = from;
  let end = to;
  while (start < to && text.charCodeAt(start) <= SPACE) start++;
  while (end > start && text.charCodeAt(end - 1) <= SPACE) end--;
  return { start, end };
}

/** Returns the index after the closing quote of the string that opens at `start`, or the text's length. */
export function stringEnd(text: string, start: number): number {
  let quote = start;
  for (;;) {
    quote = text.indexOf('"', quote + 1);
    if (quote < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
}

function readKey(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(text.slice(start, end)) as string;
  } catch {
    return raw;
  }
}
