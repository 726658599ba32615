/** FNV-1a, 32 bits. Never 0, which stands for no key. */
export const hashText = (text: string): number =>
  hashSpan(text, { start: 0, end: text.length, step: 1 }) || 1;

/** Of every so many characters of a part of the text. */
export function hashSpan(
  text: string,
  { start, end, step }: { start: number; end: number; step: number },
  before = 0x811c9dc5,
): number {
  let hash = before;
  for (let index = start; index < end; index += step) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/**
 * How much a key is drawn to a name. Each key goes where it is drawn to most; when that one is gone, only its own keys move
 * (rendezvous hashing).
 */
export function attraction(key: number, name: number): number {
  let mixed = Math.imul(key ^ name, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
