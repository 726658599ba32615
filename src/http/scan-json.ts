/** Where the value of a top-level member lies in the text. */
export type JsonMember = { start: number; end: number };

/** How deep a text may be nested, how many top-level members it may have, and how many values at any depth. */
export type JsonBounds = { depth: number; members: number; values: number };

const NO_BOUND = 0x7fff_ffff;
/** For text that is ours or an upstream's: deeper than any body that was let in. */
export const DEPTH_ONLY: JsonBounds = { depth: 1_000, members: NO_BOUND, values: NO_BOUND };

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
 * With `wanted` it goes no further than to the last of these members.
 */
export function scanJson(
  text: string,
  bounds: JsonBounds,
  wanted?: ReadonlySet<string>,
): Map<string, JsonMember> | keyof JsonBounds | { duplicate: string } {
  const members = new Map<string, JsonMember>();
  const { depth: maxDepth, members: maxMembers, values: maxValues } = bounds;
  let depth = 0;
  // Each value but the first stands behind a comma or opens a list or an object.
  let values = 0;
  let key = '';
  let keyStart = -1;
  let keyEnd = -1;
  let valueStart = -1;
  let duplicate: string | undefined;
  let missing = wanted?.size ?? -1;

  for (let index = 0; index < text.length && missing !== 0; index++) {
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
      if (++depth > maxDepth) return 'depth';
      if (++values > maxValues) return 'values';
      continue;
    }
    const closes = character === CLOSE_BRACE || character === CLOSE_BRACKET;
    if (closes) depth--;
    else if (character === COMMA && ++values > maxValues) return 'values';
    if (closes ? depth === 0 : depth === 1 && character === COMMA) {
      if (valueStart >= 0) {
        if (members.has(key)) duplicate = key;
        members.set(key, memberBetween(text, valueStart, index));
        if (members.size > maxMembers) return 'members';
        if (wanted?.has(key)) missing--;
      }
      valueStart = -1;
      keyStart = -1;
    } else if (depth === 1 && character === COLON && valueStart < 0 && keyStart >= 0) {
      key = readKey(text, keyStart, keyEnd);
      valueStart = index + 1;
    }
  }
  return duplicate === undefined ? members : { duplicate };
}

function memberBetween(text: string, from: number, to: number): JsonMember {
  let start = from;
  let end = to;
  while (text.charCodeAt(start) <= SPACE) start++;
  while (text.charCodeAt(end - 1) <= SPACE) end--;
  return { start, end };
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
