import { otlp } from './otlp-fields.ts';
import { encodeText, ProtobufWriter, varintLength } from './protobuf-writer.ts';

/** A value that is undefined, an empty text or an empty list is left out. */
export type AttributeValue = string | number | boolean | readonly string[] | undefined;

const { keyValue, value: kind } = otlp;
const LENGTH = 2;
/** A tag, and a number of eight bytes after its tag. */
const TAG = 1;
const DOUBLE = TAG + 8;

const scratch = new ProtobufWriter();

/** Encodes the name of an attribute, which is the same for every value. */
export function attributeName(name: string): Uint8Array {
  scratch.stringField(keyValue.key, name);
  return scratch.copy();
}

/** Writes an attribute as a field of its message. All lengths are known beforehand, so no bytes are moved. */
export function writeAttribute(
  writer: ProtobufWriter,
  field: number,
  name: Uint8Array,
  value: AttributeValue,
): void {
  if (value === undefined || value === '') return;
  if (typeof value === 'string') {
    const text = encodeText(value);
    begin(writer, { field, name, length: TAG + varintLength(text.length) + text.length });
    writer.tag(kind.string, LENGTH);
    writer.varint(text.length);
    writer.text(text);
  } else if (typeof value === 'object') {
    if (value.length > 0) writeList(writer, { field, name, texts: value.map(encodeText) });
  } else if (typeof value === 'boolean') {
    begin(writer, { field, name, length: TAG + 1 });
    writer.varintField(kind.bool, Number(value));
  } else if (Number.isSafeInteger(value) && value >= 0) {
    begin(writer, { field, name, length: TAG + varintLength(value) });
    writer.varintField(kind.int, value);
  } else {
    begin(writer, { field, name, length: DOUBLE });
    writer.doubleField(kind.double, value);
  }
}

type NamedList = { field: number; name: Uint8Array; texts: readonly ReturnType<typeof encodeText>[] };

const fieldLength = (length: number): number => TAG + varintLength(length) + length;

/** Writes a list as an array of values. Each text is a field of its value, which is an item of the array. */
function writeList(writer: ProtobufWriter, { field, name, texts }: NamedList): void {
  const itemsLength = texts.reduce((sum, { length }) => sum + fieldLength(fieldLength(length)), 0);
  begin(writer, { field, name, length: fieldLength(itemsLength) });
  writer.tag(kind.array, LENGTH);
  writer.varint(itemsLength);
  for (const text of texts) {
    writer.tag(otlp.array.values, LENGTH);
    writer.varint(fieldLength(text.length));
    writer.tag(kind.string, LENGTH);
    writer.varint(text.length);
    writer.text(text);
  }
}

/** Writes everything before the value of this length. */
function begin(
  writer: ProtobufWriter,
  { field, name, length }: { field: number; name: Uint8Array; length: number },
): void {
  writer.tag(field, LENGTH);
  writer.varint(name.length + TAG + varintLength(length) + length);
  writer.raw(name);
  writer.tag(keyValue.value, LENGTH);
  writer.varint(length);
}

/** Writes attributes by name. */
export function writeAttributes(
  writer: ProtobufWriter,
  field: number,
  values: Readonly<Record<string, AttributeValue>>,
): void {
  for (const [name, value] of Object.entries(values))
    writeAttribute(writer, field, attributeName(name), value);
}
