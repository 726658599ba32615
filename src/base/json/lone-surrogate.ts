const HIGH_DIGITS = '89abAB';
const LOW_DIGITS = 'cdefCDEF';

/** Reports whether the escape `\\uD` with one of these digits begins at an index. */
const isSurrogate = (digits: string, text: string, at: number): boolean =>
  text[at] === '\\' &&
  text[at + 1] === 'u' &&
  (text[at + 2] === 'd' || text[at + 2] === 'D') &&
  digits.includes(text[at + 3] ?? ' ');

/** Finds the start of any surrogate's escape. */
const ANY_SURROGATE = /\\u[dD]/;

/**
 * Reports whether the text holds half of a surrogate pair as an escape. It parses, but has no UTF-8 form, so
 * forwarding would change it.
 */
export function hasLoneSurrogate(text: string): boolean {
  // Most texts have no such escape at all, which a search finds in a quarter of the pattern's time.
  if (!text.includes('\\u') || !ANY_SURROGATE.test(text)) return false;
  // Goes from escape to escape. A pattern over the whole text would need lookbehind, or a copy without
  // escaped backslashes.
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at)) {
    if (isSurrogate(LOW_DIGITS, text, at)) return true;
    if (!isSurrogate(HIGH_DIGITS, text, at)) at += 2;
    else if (isSurrogate(LOW_DIGITS, text, at + 6)) at += 12;
    else return true;
  }
  return false;
}

/** The error of a parser that has found half of a surrogate pair. */
export class LoneSurrogate extends Error {
  override readonly name = 'LoneSurrogate';
}
