export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHARACTERS = Buffer.from(BASE62);
/** 22 characters of 62 are 130 bits, over the 120 that ids must have at least. */
const ID_LENGTH = 22;
/** The largest multiple of 62 in a byte: what lies above would make the first characters likelier. */
const FAIR = 248;

/** A draw from the system's secure source costs as much as a thousand characters: so many are drawn ahead. */
const DRAWN_AHEAD = 4_096;

/** Random base62 characters, each given out once. */
class Characters {
  readonly bytes = Buffer.allocUnsafeSlow(DRAWN_AHEAD);
  #next = DRAWN_AHEAD;

  /** Where in `bytes` that many stand which nobody else was given. */
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

  /** Fills up from the end, since some of what is drawn is thrown away; says how many they are. */
  #draw(): number {
    const { bytes } = this;
    crypto.getRandomValues(bytes);
    let at = bytes.length;
    // By index: the iterator of a typed array costs thrice the rest.
    for (let from = bytes.length - 1; from >= 0; from--) {
      const byte = bytes[from]!;
      if (byte < FAIR) bytes[--at] = CHARACTERS[byte % 62]!;
    }
    return bytes.length - at;
  }
}

const characters = new Characters();
/** However many are thrown away, that many are left of what is drawn. */
const MOST_AT_ONCE = 1_024;

/** Random base62 text from the system's secure source. */
export function randomText(length: number): string {
  if (length > MOST_AT_ONCE) return randomText(MOST_AT_ONCE) + randomText(length - MOST_AT_ONCE);
  return characters.text(length);
}

export const newId = (prefix: string): string => prefix + randomText(ID_LENGTH);

/** Milliseconds until the year 2081. */
const TIME_LENGTH = 7;
/** The last of them, apart from the first: numbers of 31 bits are divided at a third of the cost. */
const LATE_LENGTH = 4;
const LATE_UNIT = 62 ** LATE_LENGTH;

/** Sorts by time before it is random, so that what is kept by such ids is added at the end. */
export function orderedId(prefix: string, nowMs: number): string {
  const { bytes } = characters;
  const start = characters.take(TIME_LENGTH + ID_LENGTH);
  const late = nowMs % LATE_UNIT;
  const middle = start + TIME_LENGTH - LATE_LENGTH;
  writeDigits((nowMs - late) / LATE_UNIT, start, middle);
  writeDigits(late, middle, start + TIME_LENGTH);
  return prefix + bytes.toString('latin1', start, start + TIME_LENGTH + ID_LENGTH);
}

/** Of a number that fits 31 bits, over random characters. */
function writeDigits(number: number, start: number, end: number): void {
  for (let at = end - 1, left = number; at >= start; at--, left = (left / 62) | 0)
    characters.bytes[at] = CHARACTERS[left % 62]!;
}
