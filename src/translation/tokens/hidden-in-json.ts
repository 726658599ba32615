import { stringEnd } from '../../base/json/scan-json.ts';

/** How many values JSON holds, lists and objects with theirs, and how many characters its numbers and words are. */
type Shape = { values: number; literals: number };

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const OPEN_BRACE = 123;
const SPACE = 32;
const structural: ReadonlySet<number> = new Set([COMMA, COLON, OPEN_BRACKET, 93, OPEN_BRACE, 125]);

/**
 * What of JSON text is not in its value, though whoever gets the text may read it: Infinity where a member stands twice in an object, since
 * parsers differ in which of the two they keep; else the digits of numbers that were rounded.
 */
export function hiddenInJson(text: string, value: unknown): number {
  const written = shapeOfText(text);
  const parsed: Shape = { values: 0, literals: 0 };
  addShape(parsed, value);
  if (written.values !== parsed.values) return Number.POSITIVE_INFINITY;
  return Math.max(0, written.literals - parsed.literals);
}

function shapeOfText(text: string): Shape {
  let values = 0;
  let literals = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = stringEnd(text, index) - 1;
    else if (structural.has(code)) {
      if (code === COMMA || code === OPEN_BRACKET || code === OPEN_BRACE) values++;
    } else if (code > SPACE) literals++;
  }
  return { values, literals };
}

function addShape(shape: Shape, value: unknown): void {
  if (typeof value === 'string') return;
  if (typeof value !== 'object' || value === null) {
    shape.literals += String(value).length;
    return;
  }
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  shape.values += Math.max(1, members.length); // its own opening, and a comma before each but the first
  for (const member of members) addShape(shape, member);
}
