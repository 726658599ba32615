const SPACE = 32;
const QUOTE = 34;
const BACKSLASH = 92;
const FIRST_SURROGATE = 0xd800;

/**
 * Returns the JSON text of a name.
 * Most names need no escaping, and checking that is faster than `JSON.stringify`.
 */
export function jsonString(name: string): string {
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at);
    if (unit < SPACE || unit === QUOTE || unit === BACKSLASH || unit >= FIRST_SURROGATE)
      return JSON.stringify(name);
  }
  return `"${name}"`;
}
