const VARINT = 0;
const LENGTH = 2;
/** The sizes of the types with a fixed size, by the number of the type. */
const FIXED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/** A field of a message. `whole` is the field with its tag. */
export type ProtobufField = {
  number: number;
  whole: Uint8Array;
  /** The value of a field of the type varint. */
  value: number | undefined;
  /** The bytes of a field that has a length. */
  content: Uint8Array | undefined;
};

/** Splits a message into its fields. Throws a RangeError if it is no message. */
export function* readProtobuf(bytes: Uint8Array): Generator<ProtobufField> {
  for (let start = 0; start < bytes.length; ) {
    const tag = readVarint(bytes, start);
    const type = tag.value % 8;
    const number = Math.floor(tag.value / 8);
    const prefix = type === VARINT || type === LENGTH ? readVarint(bytes, tag.end) : undefined;
    const from = prefix?.end ?? tag.end;
    const end = from + lengthOf(type, prefix?.value);
    if (end > bytes.length) throw new RangeError('the message is cut');
    yield {
      number,
      whole: bytes.subarray(start, end),
      value: type === VARINT ? prefix?.value : undefined,
      content: type === LENGTH ? bytes.subarray(from, end) : undefined,
    };
    start = end;
  }
}

/** Returns the number of bytes after the tag and the first number of a field. */
function lengthOf(type: number, value = 0): number {
  if (type === VARINT) return 0;
  return type === LENGTH ? value : (FIXED_BYTES[type] ?? Number.POSITIVE_INFINITY);
}

function readVarint(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start, factor = 1; ; at++, factor *= 0x80) {
    const byte = bytes[at];
    if (byte === undefined || factor > 2 ** 63) throw new RangeError('the message is cut');
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value, end: at + 1 };
  }
}
