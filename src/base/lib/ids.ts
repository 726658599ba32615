export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHARACTERS = Buffer.from(BASE62);
/** 22 characters out of 62 hold 130 bits, above the required minimum of 120. */
const ID_LENGTH = 22;
/** The largest multiple of 62 in a byte. Larger values would make the first characters more likely. */
const FAIR = 248;

/**
 * A draw from the system's secure source costs as much as a thousand characters, so this many are drawn
 * ahead.
 */
const DRAWN_AHEAD = 4_096;
/** At least this many drawn characters are left, however many bytes are discarded. */
const CHARACTERS_AT_A_TIME = 1_024;
/** Enough digits for milliseconds until the year 2081. */
const TIME_LENGTH = 7;
/**
 * The last digits are written separately, because dividing 31-bit numbers costs a third of dividing larger
 * ones.
 */
const LATE_LENGTH = 4;
const LATE_UNIT = 62 ** LATE_LENGTH;

/** Random base62 characters, each used once. */
class Characters {
  readonly bytes = Buffer.allocUnsafeSlow(DRAWN_AHEAD);
  #next = DRAWN_AHEAD;

  /** Returns the index in `bytes` of `count` unused characters. */
  take(count: number): number {
    if (this.#next + count > DRAWN_AHEAD) this.#next = DRAWN_AHEAD - this.#draw();
    const at = this.#next;
    this.#next += count;
    return at;
  }

  text(length: number): string {
    const at = this.take(length);
    return this.bytes.toString('latin1', at, at + length);
  }

  /** Fills the buffer from its end, since some bytes are discarded. Returns how many characters it drew. */
  #draw(): number {
    const { bytes } = this;
    crypto.getRandomValues(bytes);
    let at = bytes.length;
    // By index: the iterator of a typed array costs three times as much as the rest.
    for (let from = bytes.length - 1; from >= 0; from--) {
      const byte = bytes[from]!;
      if (byte < FAIR) bytes[--at] = CHARACTERS[byte % 62]!;
    }
    return bytes.length - at;
  }
}

const characters = new Characters();

/** Returns random base62 text from the system's secure source. */
export function randomText(length: number): string {
  if (length > CHARACTERS_AT_A_TIME)
    return randomText(CHARACTERS_AT_A_TIME) + randomText(length - CHARACTERS_AT_A_TIME);
  return characters.text(length);
}

export const newId = (prefix: string): string => prefix + randomText(ID_LENGTH);

/** Makes an id that begins with the time, so that new rows are added at the end of an index. */
export function orderedId(prefix: string, nowMs: number): string {
  const { bytes } = characters;
  const start = characters.take(TIME_LENGTH + ID_LENGTH);
  const late = nowMs % LATE_UNIT;
  const middle = start + TIME_LENGTH - LATE_LENGTH;
  writeDigits((nowMs - late) / LATE_UNIT, start, middle);
  writeDigits(late, middle, start + TIME_LENGTH);
  return prefix + bytes.toString('latin1', start, start + TIME_LENGTH + ID_LENGTH);
}

/** Returns the time at which `orderedId` made the id, or 0 if it did not. */
export function timeOfId(id: string): number {
  const text = id.slice(id.indexOf('_') + 1);
  if (text.length !== TIME_LENGTH + ID_LENGTH) return 0; // random, such as that of a batch item
  let time = 0;
  for (const digit of text.slice(0, TIME_LENGTH)) {
    const value = BASE62.indexOf(digit);
    if (value < 0) return 0;
    time = time * 62 + value;
  }
  return time;
}

/** Writes the digits of a 31-bit number over random characters. */
function writeDigits(number: number, start: number, end: number): void {
  for (let at = end - 1, left = number; at >= start; at--, left = (left / 62) | 0)
    characters.bytes[at] = CHARACTERS[left % 62]!;
}
