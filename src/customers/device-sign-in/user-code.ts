/** RFC 8628 recommends these letters: no vowels, so that no words come about. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const HALF = 4;
/** The largest multiple of 20 in a byte. Larger values would make the first letters more likely. */
const FAIR = 240;

/** Makes a code that a person can read and type. */
export function newUserCode(): string {
  let code = '';
  while (code.length < 2 * HALF)
    for (const byte of crypto.getRandomValues(new Uint8Array(2 * HALF)))
      if (byte < FAIR && code.length < 2 * HALF) code += LETTERS[byte % LETTERS.length];
  return `${code.slice(0, HALF)}-${code.slice(HALF)}`;
}

/**
 * Returns a typed code in its usual form.
 *
 * @example
 * tidyUserCode(' wdjb mjht '); // → 'WDJB-MJHT'
 */
export function tidyUserCode(typed: string): string {
  const letters = typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return `${letters.slice(0, HALF)}-${letters.slice(HALF)}`;
}
