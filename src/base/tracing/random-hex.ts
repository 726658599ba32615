/** A draw from the system's secure source is dear, so this many bytes are drawn ahead. */
const DRAWN_AHEAD = 4_096;

const bytes = Buffer.allocUnsafeSlow(DRAWN_AHEAD);
let next = DRAWN_AHEAD;

/** Returns random bytes in hexadecimal digits. */
export function randomHex(count: number): string {
  if (next + count > DRAWN_AHEAD) {
    crypto.getRandomValues(bytes);
    next = 0;
  }
  next += count;
  return bytes.toString('hex', next - count, next);
}
