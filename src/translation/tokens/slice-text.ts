/** `isSure`: every vocabulary would also cut at the slice's end. */
type TextSlice = { from: number; end: number; isSure: boolean };

/**
 * The length of a slice, which is the least that a turn counts. It is a power of two, because runs of one
 * sign become tokens of 2, 4, 8 … 128 signs. A slice then ends where the vocabulary also cuts the run.
 */
export const SLICE_LENGTH = 1_024;
/** The distance from the end of a slice in which a sure cut is searched. */
const SEARCHED = 512;

const SPACE = 32;
const APOSTROPHE = 39;
/** ， 。 、 */
const HAN_SIGNS: ReadonlySet<number> = new Set([0xff0c, 0x3002, 0x3001]);

/** Cuts a text into slices, each at a sure cut if there is one near its end. */
export function* slicesOf(text: string): Generator<TextSlice> {
  for (let from = 0; from < text.length; ) {
    const slice = sliceFrom(text, from);
    yield slice;
    from = slice.end;
  }
}

function sliceFrom(text: string, from: number): TextSlice {
  const limit = from + SLICE_LENGTH;
  if (limit >= text.length) return { from, end: text.length, isSure: true };
  for (let at = limit; at > limit - SEARCHED; at--)
    if (isSureCut(text, at)) return { from, end: at, isSure: true };
  const splitsPair = (text.charCodeAt(limit) & 0xfc00) === 0xdc00;
  return { from, end: splitsPair ? limit - 1 : limit, isSure: false };
}

/**
 * Reports whether all published vocabularies cut here before they merge: before the single space between two
 * words, and between a letter and a sign. An apostrophe can belong to the word before it.
 */
function isSureCut(text: string, at: number): boolean {
  const next = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  if (next === SPACE) return isWordEnd(before) && text.charCodeAt(at + 1) > SPACE;
  if (HAN_SIGNS.has(next)) return isHan(before);
  return isSign(next) && isLetter(before);
}

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const isHan = (code: number): boolean => code >= 0x4e00 && code <= 0x9fff;
const isSign = (code: number): boolean =>
  code > SPACE && code < 127 && code !== APOSTROPHE && !isLetter(code) && !(code >= 48 && code <= 57);

/** Reports whether a character surely ends a word. Beyond ASCII only Han does: some others are spaces. */
const isWordEnd = (code: number): boolean => code > SPACE && (code < 127 || isHan(code));
