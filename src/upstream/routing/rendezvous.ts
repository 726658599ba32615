/** Hashes a text with FNV-1a, 32 bits. The result is never 0, which means no key. */
export const hashText = (text: string): number =>
  hashSpan(text, { start: 0, end: text.length, step: 1 }) || 1;

/** Hashes every `step`-th character of a part of the text. */
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
 * Scores a name for a key (rendezvous hashing). Each key uses the name with the highest score. If that name
 * goes, only its own keys move.
 */
export function attraction(key: number, name: number): number {
  let mixed = Math.imul(key ^ name, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
