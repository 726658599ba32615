/** The codes of the characters that structure JSON text. */
export const QUOTE = 34;
export const COMMA = 44;
export const COLON = 58;
export const OPEN_BRACKET = 91;
export const BACKSLASH = 92;
export const CLOSE_BRACKET = 93;
export const OPEN_BRACE = 123;
export const CLOSE_BRACE = 125;

/** Whitespace in valid JSON has this code or a smaller one. */
export const SPACE = 32;

/** Returns the index of the first character from `index` on that is not whitespace. */
export function skipSpace(text: string, index: number): number {
  let at = index;
  while (text.charCodeAt(at) <= SPACE) at++;
  return at;
}
