/**
 * Writes protobuf messages as strings with one character for each byte. The runtime joins strings without copying them, so nested messages
 * know their length at once, and repeated parts are kept as finished text.
 */

const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;

const byte = String.fromCharCode;

/** The varints that occur most: lengths, tags and small counts. */
const small = Array.from({ length: 0x4000 }, (_, value) =>
  value < 0x80 ? byte(value) : byte((value & 0x7f) | 0x80, value >> 7),
);

/** Formats an integer from 0 to 2^53. */
export function varint(value: number): string {
  let left = value;
  let text = '';
  while (left >= 0x4000) {
    text += byte((left % 0x80) | 0x80);
    left = Math.floor(left / 0x80);
  }
  return text + small[left]!;
}

const tag = (field: number, type: number): string => varint((field << 3) | type);

// Many fields repeat, and a tag is one lookup.
const tags = [VARINT, FIXED64, LENGTH].map((type) =>
  Array.from({ length: 64 }, (_, field) => tag(field, type)),
);

/** Formats a message, a list of packed numbers, or bytes. */
export const bytesField = (field: number, bytes: string): string =>
  tags[LENGTH]![field]! + varint(bytes.length) + bytes;

export const stringField = (field: number, text: string): string => bytesField(field, utf8(text));

export const varintField = (field: number, value: number): string => tags[VARINT]![field]! + varint(value);

export const fixed64Field = (field: number, bytes: string): string => tags[FIXED64]![field]! + bytes;

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is the range of one byte
const ASCII = /^[\x00-\x7f]*$/;

/** Encodes a text as UTF-8. An unpaired surrogate becomes the replacement character. */
export const utf8 = (text: string): string =>
  ASCII.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');

const TWO_32 = 2 ** 32;

const word = (value: number): string =>
  byte(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24);

/** Formats an integer from 0 to 2^53 in eight bytes. */
export const fixed64 = (value: number): string => word(value % TWO_32) + word(Math.floor(value / TWO_32));

/** Formats a time in milliseconds as nanoseconds. The product exceeds 2^53, so it is formed in two parts. */
export function nanoseconds(milliseconds: number): string {
  const microseconds = Math.round(milliseconds * 1_000);
  const low = microseconds % 0x400000;
  const high = ((microseconds - low) / 0x400000) * 1_000;
  const sum = (high % 0x400) * 0x400000 + low * 1_000;
  return word(sum % TWO_32) + word(Math.floor(high / 0x400) + Math.floor(sum / TWO_32));
}

const scratch = Buffer.alloc(8);

export function double(value: number): string {
  scratch.writeDoubleLE(value);
  return scratch.toString('latin1');
}

/** Returns the bytes of hexadecimal digits. */
export const hexBytes = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1');

export const toBytes = (message: string): Buffer<ArrayBuffer> => Buffer.from(message, 'latin1');
