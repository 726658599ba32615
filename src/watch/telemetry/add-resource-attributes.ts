import { listOf, objectOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import { writeAttributes } from './attributes.ts';
import { otlp } from './otlp-fields.ts';
import { ProtobufWriter } from './protobuf-writer.ts';
import { type ProtobufField, readProtobuf } from './read-protobuf.ts';

type Attributes = Readonly<Record<string, string>>;

/**
 * Adds attributes to each resource of an export. They replace attributes of the same names. Throws a
 * RangeError if the bytes are no message.
 */
export function addToProtobuf(bytes: Uint8Array, attributes: Attributes): Uint8Array<ArrayBuffer> {
  const writer = new ProtobufWriter();
  for (const { number, whole, content } of readProtobuf(bytes)) {
    if (number === otlp.request.resources && content) writeResources(writer, content, attributes);
    else writer.raw(whole);
  }
  return writer.copy();
}

/** Several fields with the resource are one message in parts. */
function writeResources(writer: ProtobufWriter, bytes: Uint8Array, attributes: Attributes): void {
  const fields = [...readProtobuf(bytes)];
  const resources = writer.open(otlp.request.resources);
  const resource = writer.open(otlp.resource.resource);
  for (const { content } of fields.filter(isResource))
    for (const field of readProtobuf(content)) if (!isNamed(field, attributes)) writer.raw(field.whole);
  writeAttributes(writer, otlp.attributes.attributes, attributes);
  writer.close(resource);
  for (const field of fields) if (!isResource(field)) writer.raw(field.whole);
  writer.close(resources);
}

const isResource = (field: ProtobufField): field is ProtobufField & { content: Uint8Array } =>
  field.number === otlp.resource.resource && field.content !== undefined;

function isNamed({ number, content }: ProtobufField, attributes: Attributes): boolean {
  if (number !== otlp.attributes.attributes || !content) return false;
  const key = [...readProtobuf(content)].find((field) => field.number === otlp.keyValue.key)?.content;
  return key !== undefined && Object.hasOwn(attributes, new TextDecoder().decode(key));
}

/** Adds attributes like `addToProtobuf`. Throws a SyntaxError if the text is no export. */
export function addToJson(text: string, attributes: Attributes): string {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new SyntaxError('no export');
  const added = Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  const resources = Object.entries(value)
    .filter(([name]) => name.startsWith('resource'))
    .flatMap(([, list]) => listOf(list));
  for (const signals of resources) {
    if (!isObject(signals)) throw new SyntaxError('no resource');
    const resource = objectOf(signals.resource);
    const kept = listOf(resource.attributes).filter(
      (attribute) => !Object.hasOwn(attributes, String(objectOf(attribute).key)),
    );
    signals.resource = { ...resource, attributes: [...kept, ...added] };
  }
  return JSON.stringify(value);
}
