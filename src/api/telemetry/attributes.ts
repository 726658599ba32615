import { otlp } from './otlp-fields.ts';
import { bytesField, double, fixed64Field, stringField, utf8, varintField } from './protobuf.ts';

/** A value that is undefined or an empty text is left out. */
export type AttributeValue = string | number | boolean | readonly string[] | undefined;

const { keyValue, value: kind, array } = otlp;

/** The encoded name of an attribute, which is the same for every value. */
export const attributeName = (name: string): string => bytesField(keyValue.key, utf8(name));

/** Encodes an attribute as a field of its message. */
export function attribute(field: number, name: string, value: AttributeValue): string {
  if (value === undefined || value === '') return '';
  return bytesField(field, name + bytesField(keyValue.value, anyValue(value)));
}

function anyValue(value: Exclude<AttributeValue, undefined>): string {
  if (typeof value === 'string') return stringField(kind.string, value);
  if (typeof value === 'boolean') return varintField(kind.bool, Number(value));
  if (typeof value === 'number') {
    const isCount = Number.isSafeInteger(value) && value >= 0;
    return isCount ? varintField(kind.int, value) : fixed64Field(kind.double, double(value));
  }
  const values = value.map((text) => bytesField(array.values, stringField(kind.string, text)));
  return bytesField(kind.array, values.join(''));
}

/** Encodes attributes by name. */
export const attributesOf = (field: number, values: Readonly<Record<string, AttributeValue>>): string =>
  Object.entries(values)
    .map(([name, value]) => attribute(field, attributeName(name), value))
    .join('');

/** Values that repeat. A client can choose some of them, so their number is bounded. */
const MOST_KEPT = 1_000;

/** Encodes one attribute whose values repeat, and keeps the results. */
export function repeatedAttribute(field: number, name: string): (value: string | undefined) => string {
  const kept = new Map<string, string>();
  const encodedName = attributeName(name);
  return (value) => {
    if (value === undefined || value === '') return '';
    const known = kept.get(value);
    if (known !== undefined) return known;
    // A flat copy: the text is used many times.
    const made = Buffer.from(attribute(field, encodedName, value), 'latin1').toString('latin1');
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(value, made);
    return made;
  };
}
