/**
 * A draw from the system's secure source is expensive, and so is a conversion, so digits are drawn ahead. An
 * id keeps the text alive that it was cut from, which is therefore short.
 */
const BYTES = 512;

const bytes = Buffer.allocUnsafeSlow(BYTES);
let digits = '';
let next = 0;

/** Returns random bytes in hexadecimal digits. */
export function randomHex(count: number): string {
  const length = count * 2;
  if (next + length > digits.length) {
    crypto.getRandomValues(bytes);
    digits = bytes.toString('hex');
    next = 0;
  }
  next += length;
  return digits.slice(next - length, next);
}
