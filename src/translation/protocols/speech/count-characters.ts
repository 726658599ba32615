/** Counts the Unicode characters of a text. A pair of surrogates is one. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at++) if (isSecondHalf(text.charCodeAt(at))) count--;
  return count;
}

const isSecondHalf = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
