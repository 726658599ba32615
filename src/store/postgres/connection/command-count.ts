const SPACE = ' '.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);

/** Reads the number at the end of a command's tag, such as `INSERT 0 3`, without building its text. */
export function commandCount(bytes: Buffer, end: number): number {
  let count = 0;
  let scale = 1;
  for (let at = end - 2; at > 0 && bytes[at] !== SPACE; at--) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return 0;
    count += digit * scale;
    scale *= 10;
  }
  return count;
}
