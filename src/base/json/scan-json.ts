/** Where the value of a top-level member lies in the text. */
export type JsonMember = { start: number; end: number };

/** A name that stands twice. Of each name `members` has the last, which is the one that counts. */
export type Duplicate = { duplicate: string; members: ReadonlyMap<string, JsonMember> };

/** Deeper than any body that was let in: for text that is an upstream's. */
const MAX_DEPTH = 1_000;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const SPACE = 32;

/**
 * Where the top-level members of JSON text lie, so that a value can be replaced in the sender's own bytes. Strings are jumped over, so the
 * cost goes with the structure and not with the length.
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

/** Without the spaces around it; of nothing but spaces an empty place. */
export function memberBetween(text: string, from: number, to: number): JsonMember {
  let start = from;
  let end = to;
  while (start < to && text.charCodeAt(start) <= SPACE) start++;
  while (end > start && text.charCodeAt(end - 1) <= SPACE) end--;
  return { start, end };
}

/** Behind the closing quote of the string that opens at `start`, or the text's end. */
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
