export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHARACTERS = Buffer.from(BASE62);
/** 22 characters of 62 are 130 bits, over the 120 that ids must have at least. */
const ID_LENGTH = 22;
/** The largest multiple of 62 in a byte: what lies above would make the first characters likelier. */
const FAIR = 248;

/** Random base62 text from the system's secure source. A quarter more bytes than needed, since some are thrown away. */
export function randomText(length: number): string {
  const bytes = crypto.getRandomValues(Buffer.allocUnsafe(length + (length >> 2)));
  let kept = 0;
  // By index: the iterator of a typed array costs thrice the rest.
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte < FAIR) bytes[kept++] = CHARACTERS[byte % 62]!;
  }
  if (kept < length) return bytes.toString('latin1', 0, kept) + randomText(length - kept);
  return bytes.toString('latin1', 0, length);
}

export const newId = (prefix: string): string => prefix + randomText(ID_LENGTH);

/** Milliseconds until the year 2081. */
const TIME_LENGTH = 7;
/** The last of them, apart from the first: numbers of 31 bits are divided at a third of the cost. */
const LATE_LENGTH = 4;
const LATE_UNIT = 62 ** LATE_LENGTH;

/** Sorts by time before it is random, so that what is kept by such ids is added at the end. */
export function orderedId(prefix: string, nowMs: number): string {
  const late = nowMs % LATE_UNIT;
  return newId(
    prefix + digits((nowMs - late) / LATE_UNIT, TIME_LENGTH - LATE_LENGTH) + digits(late, LATE_LENGTH),
  );
}

/** Of a number that fits 31 bits. */
function digits(number: number, length: number): string {
  let text = '';
  for (let left = number; text.length < length; left = (left / 62) | 0) text = BASE62[left % 62] + text;
  return text;
}
