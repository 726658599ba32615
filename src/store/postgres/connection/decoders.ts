import { splitArray } from './array-text.ts';

/** Reads the text of a value. */
export type Decoder = (bytes: Buffer, start: number, end: number) => unknown;

const MINUS = '-'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);

const text: Decoder = (bytes, start, end) => bytes.toString('utf8', start, end);
const ascii = (bytes: Buffer, start: number, end: number): string => bytes.toString('latin1', start, end);
/**
 * Most values are short integers, and a native call for each costs more than its digits.
 * No step leaves the safe integers.
 */
const integer: Decoder = (bytes, start, end) => {
  const isNegative = bytes[start] === MINUS;
  let value = 0;
  for (let at = isNegative ? start + 1 : start; at < end; at++) value = value * 10 + (bytes[at]! - ZERO);
  return isNegative ? -value : value;
};
const number: Decoder = (bytes, start, end) => Number(ascii(bytes, start, end));
const json: Decoder = (bytes, start, end) => JSON.parse(bytes.toString('utf8', start, end));
const boolean: Decoder = (bytes, start) => bytes[start] === 't'.charCodeAt(0);
const date: Decoder = (bytes, start, end) => new Date(ascii(bytes, start, end));
/** The text is `\x` and two digits for each byte. */
const bytea: Decoder = (bytes, start, end) =>
  new Uint8Array(Buffer.from(ascii(bytes, start + 2, end), 'hex'));

const listOf =
  (read: (element: string) => unknown): Decoder =>
  (bytes, start, end) =>
    splitArray(bytes.toString('utf8', start, end)).map((element) =>
      element === null ? null : read(element),
    );

/**
 * The decoders by the type's number in `pg_type`, which never changes for a built-in type. Every stored
 * amount is a safe integer.
 */
const BY_TYPE: ReadonlyMap<number, Decoder> = new Map([
  [16, boolean],
  [17, bytea],
  [20, integer], // int8
  [21, integer], // int2
  [23, integer], // int4
  [26, integer], // oid
  [114, json], // json
  [700, number], // float4
  [701, number], // float8
  [1082, date], // date
  [1114, date], // timestamp
  [1184, date], // timestamptz
  [3802, json], // jsonb
  [1000, listOf((element) => element === 't')], // boolean[]
  [1005, listOf(Number)], // int2[]
  [1007, listOf(Number)], // int4[]
  [1009, listOf(String)], // text[]
  [1015, listOf(String)], // varchar[]
  [1016, listOf(Number)], // int8[]
  [1022, listOf(Number)], // float8[]
]);

export const decoderOf = (type: number): Decoder => BY_TYPE.get(type) ?? text;
