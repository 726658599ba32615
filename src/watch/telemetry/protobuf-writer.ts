const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;

const FIRST_CAPACITY = 64 * 1024;
/** More than the tag, the length and the numbers of one field. */
const FIELD_ROOM = 32;
const TWO_32 = 2 ** 32;

/** The bytes that an open message reserves for its length. Most lengths take two bytes, and need no move. */
const LENGTH_ROOM = 2;

export const varintLength = (value: number): number => {
  let length = 1;
  for (let left = value; left >= 0x80; left = Math.floor(left / 0x80)) length++;
  return length;
};

const isAscii = (text: string): boolean => {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
};

/** Returns a text that has one character for each byte of its UTF-8 form, or the bytes themselves. */
export const encodeText = (text: string): string | Uint8Array =>
  isAscii(text) ? text : Buffer.from(text, 'utf8');

/** The values of hexadecimal digits by their character code. */
const DIGITS = new Uint8Array(128);
for (const [value, digit] of [...'0123456789abcdef'].entries()) DIGITS[digit.charCodeAt(0)] = value;

/**
 * Writes protobuf messages into one buffer, which grows and is used again. Fields are numbered up to 15, so
 * that a tag is one byte.
 */
export class ProtobufWriter {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  /** Returns what was written, and starts again. The bytes are valid until the next field is written. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.#bytes.subarray(0, this.#at);
    this.#at = 0;
    return bytes;
  }

  /** Returns a copy of what was written, and starts again. */
  copy(): Uint8Array<ArrayBuffer> {
    return this.take().slice();
  }

  /** Begins a nested message. The returned place is given to `close`. */
  open(field: number): number {
    this.tag(field, LENGTH);
    this.#at += LENGTH_ROOM;
    return this.#at;
  }

  /** Ends a nested message: writes its length, and moves it if the length needs more bytes. */
  close(start: number): void {
    const end = this.#at;
    const length = end - start;
    const shift = varintLength(length) - LENGTH_ROOM;
    if (shift > 0) this.#ensure(shift);
    if (shift !== 0) this.#bytes.copyWithin(start + shift, start, end);
    this.#at = start - LENGTH_ROOM;
    this.varint(length);
    this.#at = end + shift;
  }

  varintField(field: number, value: number): void {
    this.tag(field, VARINT);
    this.varint(value);
  }

  stringField(field: number, text: string): void {
    const encoded = encodeText(text);
    this.tag(field, LENGTH);
    this.varint(encoded.length);
    this.text(encoded);
  }

  bytesField(field: number, bytes: Uint8Array): void {
    this.tag(field, LENGTH);
    this.varint(bytes.length);
    this.raw(bytes);
  }

  /** Writes a field of bytes from their hexadecimal digits. */
  hexField(field: number, hex: string): void {
    this.tag(field, LENGTH);
    this.varint(hex.length / 2);
    // The fields are read once, since the compiler cannot know that the loop leaves them alone.
    const bytes = this.#bytes;
    let at = this.#at;
    for (let index = 0; index < hex.length; index += 2)
      bytes[at++] = (DIGITS[hex.charCodeAt(index)]! << 4) | DIGITS[hex.charCodeAt(index + 1)]!;
    this.#at = at;
  }

  fixed64Field(field: number, value: number): void {
    this.tag(field, FIXED64);
    this.fixed64(value);
  }

  /** Writes a time in milliseconds as nanoseconds. The product exceeds 2^53, so it is formed in two parts. */
  timeField(field: number, milliseconds: number): void {
    this.tag(field, FIXED64);
    const microseconds = Math.round(milliseconds * 1_000);
    const low = microseconds % 0x400000;
    const high = ((microseconds - low) / 0x400000) * 1_000;
    const sum = (high % 0x400) * 0x400000 + low * 1_000;
    this.#words(sum % TWO_32, Math.floor(high / 0x400) + Math.floor(sum / TWO_32));
  }

  doubleField(field: number, value: number): void {
    this.tag(field, FIXED64);
    this.double(value);
  }

  /** Writes an integer from 0 to 2^53 in eight bytes, without a tag. */
  fixed64(value: number): void {
    this.#words(value % TWO_32, Math.floor(value / TWO_32));
  }

  double(value: number): void {
    this.#ensure(FIELD_ROOM);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  tag(field: number, type: number): void {
    this.#ensure(FIELD_ROOM);
    this.#bytes[this.#at++] = (field << 3) | type;
  }

  varint(value: number): void {
    let left = value;
    while (left >= 0x80) {
      this.#bytes[this.#at++] = (left % 0x80) | 0x80;
      left = Math.floor(left / 0x80);
    }
    this.#bytes[this.#at++] = left;
  }

  raw(bytes: Uint8Array): void {
    this.#ensure(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  text(encoded: string | Uint8Array): void {
    if (typeof encoded !== 'string') {
      this.raw(encoded);
      return;
    }
    this.#ensure(encoded.length);
    const bytes = this.#bytes;
    let at = this.#at;
    for (let index = 0; index < encoded.length; index++) bytes[at++] = encoded.charCodeAt(index);
    this.#at = at;
  }

  #words(low: number, high: number): void {
    this.#ensure(FIELD_ROOM);
    this.#view.setUint32(this.#at, low, true);
    this.#view.setUint32(this.#at + 4, high, true);
    this.#at += 8;
  }

  /** Ensures space for this many bytes, and for the numbers that may follow them. */
  #ensure(count: number): void {
    const needed = this.#at + count + FIELD_ROOM;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
