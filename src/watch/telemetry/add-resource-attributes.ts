import { writeAttributes } from './attributes.ts';
import { otlp } from './otlp-fields.ts';
import { ProtobufWriter } from './protobuf-writer.ts';

type Attributes = Readonly<Record<string, string>>;
/** A field with its tag, and its content if it has a length. */
type RawField = { number: number; whole: Uint8Array; content: Uint8Array | undefined };

const FIXED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };
const VARINT = 0;
const LENGTH = 2;

/** Splits a message into its fields. Throws a RangeError if it is no message. */
function* fieldsOf(bytes: Uint8Array): Generator<RawField> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = bytes[at++];
      if (byte === undefined || factor > 2 ** 63) throw new RangeError('the message is cut');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const start = at;
    const tag = varint();
    const type = tag % 8;
    let from: number | undefined;
    if (type === VARINT) varint();
    else if (type === LENGTH) {
      const length = varint();
      from = at;
      at += length;
    } else at += FIXED_BYTES[type] ?? Number.POSITIVE_INFINITY;
    if (at > bytes.length) throw new RangeError('the message is cut');
    const content = from === undefined ? undefined : bytes.subarray(from, at);
    yield { number: Math.floor(tag / 8), whole: bytes.subarray(start, at), content };
  }
}

/**
 * Adds attributes to each resource of an export. Attributes of the same names give way.
 * Throws a RangeError if it is no protobuf.
 */
export function addToProtobuf(bytes: Uint8Array, attributes: Attributes): Uint8Array<ArrayBuffer> {
  const writer = new ProtobufWriter();
  for (const { number, whole, content } of fieldsOf(bytes)) {
    if (number === otlp.request.resources && content) writeResources(writer, content, attributes);
    else writer.raw(whole);
  }
  return writer.copy();
}

/** Several fields with the resource are one message in parts. */
function writeResources(writer: ProtobufWriter, bytes: Uint8Array, attributes: Attributes): void {
  const fields = [...fieldsOf(bytes)];
  const isResource = ({ number, content }: RawField) => number === otlp.resource.resource && content;
  const all = writer.open(otlp.request.resources);
  const own = writer.open(otlp.resource.resource);
  for (const { content } of fields.filter(isResource))
    for (const field of fieldsOf(content!)) if (!isNamed(field, attributes)) writer.raw(field.whole);
  writeAttributes(writer, otlp.attributes.attributes, attributes);
  writer.close(own);
  for (const field of fields) if (!isResource(field)) writer.raw(field.whole);
  writer.close(all);
}

function isNamed({ number, content }: RawField, attributes: Attributes): boolean {
  if (number !== otlp.attributes.attributes || !content) return false;
  const key = [...fieldsOf(content)].find((field) => field.number === otlp.keyValue.key)?.content;
  return key !== undefined && Object.hasOwn(attributes, new TextDecoder().decode(key));
}

type JsonAttribute = { key?: unknown };
type JsonResource = { resource?: { attributes?: JsonAttribute[] } };

/** Adds attributes like `addToProtobuf`. Throws a SyntaxError if the text is no export. */
export function addToJson(text: string, attributes: Attributes): string {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SyntaxError('no export');
  const added = Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  const resources = Object.entries(value)
    .filter(([name, list]) => name.startsWith('resource') && Array.isArray(list))
    .flatMap(([, list]) => list as (JsonResource | null)[]);
  for (const one of resources) {
    if (typeof one !== 'object' || one === null) throw new SyntaxError('no resource');
    const resourceAttributes = one.resource?.attributes;
    const others = Array.isArray(resourceAttributes)
      ? resourceAttributes.filter((each) => !Object.hasOwn(attributes, String(each?.key)))
      : [];
    one.resource = { ...one.resource, attributes: [...others, ...added] };
  }
  return JSON.stringify(value);
}
