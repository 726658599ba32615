import { stringEnd } from '../../base/json/scan-json.ts';

/** The number of values in JSON, lists and objects included, and the length of its numbers and words. */
type Shape = { values: number; literals: number };

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const OPEN_BRACE = 123;
const SPACE = 32;
const structural: ReadonlySet<number> = new Set([COMMA, COLON, OPEN_BRACKET, 93, OPEN_BRACE, 125]);

/**
 * Measures the part of JSON text that is lost in its parsed value, though its recipient may read it. Returns
 * Infinity if an object has a duplicate member, because parsers differ in which one they keep. Otherwise
 * returns the digits of numbers that were rounded.
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
  // A container counts its own opening, and a comma before each member but the first.
  shape.values += Math.max(1, members.length);
  for (const member of members) addShape(shape, member);
}
