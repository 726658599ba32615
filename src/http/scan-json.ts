/** Where the value of a top-level member lies in the text. */
export type JsonMember = { start: number; end: number };

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
 * One pass over JSON text before it is parsed: how deep it is nested (a parser takes millions of levels, and a later serialisation dies of
 * them) and where its top-level members lie, so that a value can be replaced in the sender's own bytes. Strings are jumped over with
 * `indexOf`, so the cost goes with the structure and not with the length of the prompt. What is no JSON is left to the parser to refuse.
 */
export function scanJson(
  text: string,
  maxDepth: number,
): Map<string, JsonMember> | 'too-deep' | { duplicate: string } {
  const members = new Map<string, JsonMember>();
  let depth = 0;
  let key = '';
  let valueStart = -1;
  let keyEnd = -1;
  let keyStart = -1;
  let duplicate: string | undefined;
  let found = 0;

  const closeMember = (end: number) => {
    if (valueStart < 0) return;
    members.set(key, { start: skipSpace(text, valueStart), end: trimSpace(text, end) });
    if (members.size === found) duplicate = key;
    found = members.size;
    valueStart = -1;
  };

  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === QUOTE) {
      const end = stringEnd(text, index);
      if (depth === 1 && valueStart < 0) {
        keyStart = index;
        keyEnd = end;
      }
      index = end - 1;
    } else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      if (++depth > maxDepth) return 'too-deep';
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      if (depth-- === 1) closeMember(index);
    } else if (depth === 1) {
      if (character === COLON && valueStart < 0 && keyStart >= 0) {
        key = readKey(text, keyStart, keyEnd);
        valueStart = index + 1;
      } else if (character === COMMA) {
        closeMember(index);
        keyStart = -1;
      }
    }
  }
  return duplicate === undefined ? members : { duplicate };
}

/** Behind the closing quote of the string that opens at `start`, or the text's end. */
function stringEnd(text: string, start: number): number {
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

function skipSpace(text: string, index: number): number {
  while (text.charCodeAt(index) <= SPACE) index++;
  return index;
}

function trimSpace(text: string, end: number): number {
  while (text.charCodeAt(end - 1) <= SPACE) end--;
  return end;
}
