const SPACE = 32;
const QUOTE = 34;
const BACKSLASH = 92;
const FIRST_SURROGATE = 0xd800;

/** The JSON text of a name. Nearly all are plain, which is seen sooner than the runtime has escaped nothing in them. */
export function jsonString(name: string): string {
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at);
    if (unit < SPACE || unit === QUOTE || unit === BACKSLASH || unit >= FIRST_SURROGATE)
      return JSON.stringify(name);
  }
  return `"${name}"`;
}
