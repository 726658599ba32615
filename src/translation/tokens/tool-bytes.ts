/** Vendors put tags around a property: `<parameter>`, `<name>`, `<type>`. */
const PROPERTY = 16;
/** The marks around a member, with a line break and an indentation. */
const MEMBER = 6;
const ELEMENT = 3;

/**
 * The length of an escape such as `\u00e9` or `\u003c`.
 * Some hosts escape all but ASCII, and the signs of HTML.
 */
const ESCAPE = 6;

const PLAIN = /[^ !#-%(-;=?-[\]-~]/g;

/**
 * Bounds the tokens of a tool for a vocabulary that is not published. A byte counts as a token. The bound
 * covers each form in which open models and their hosts write tools: JSON with indentation and escaped
 * characters, TypeScript, or XML with a tag around each member.
 */
export function toolBytes(value: unknown): number {
  if (typeof value === 'string') return lengthOf(value) + 2;
  if (Array.isArray(value))
    return value.reduce<number>((sum, element) => sum + toolBytes(element) + ELEMENT, 2);
  if (typeof value !== 'object' || value === null) return String(value).length;
  let bytes = 2;
  for (const [name, member] of Object.entries(value)) {
    bytes += 2 * lengthOf(name) + MEMBER + toolBytes(member);
    if (name === 'properties' && typeof member === 'object' && member !== null)
      bytes += Object.keys(member).length * PROPERTY;
  }
  return bytes;
}

const lengthOf = (text: string): number => text.length + (text.match(PLAIN)?.length ?? 0) * (ESCAPE - 1);
