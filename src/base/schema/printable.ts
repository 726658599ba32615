import { cutText } from '../lib/cut-text.ts';

const CONTROL = /[\p{C}\p{Zl}\p{Zp}]/gu;

const escaped = (character: string): string =>
  `\\u{${character.codePointAt(0)!.toString(16).padStart(4, '0')}}`;

/**
 * Makes foreign text safe for a one-line message: escapes control characters and cuts it to `longest`
 * characters.
 */
export function printable(text: string, longest = 40): string {
  const cut = text.length > longest ? `${cutText(text, longest)}…` : text;
  return cut.replace(CONTROL, escaped);
}
