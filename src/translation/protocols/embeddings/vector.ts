import { countOf } from '../../../base/json/read-json.ts';

export type Encoding = 'float' | 'base64';

/** A vector as an upstream wrote it: numbers, or their 32-bit form in base64. Undefined where it is none. */
export function readVector(value: unknown): number[] | undefined {
  if (Array.isArray(value)) return value.every(Number.isFinite) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length === 0 || bytes.length % Float32Array.BYTES_PER_ELEMENT !== 0) return undefined;
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

export function formatVector(vector: readonly number[], encoding: Encoding): number[] | string {
  if (encoding === 'float') return [...vector];
  const bytes = Buffer.alloc(vector.length * Float32Array.BYTES_PER_ELEMENT);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString('base64');
}

/** The width of a vector without decoding it; zero where it is none. */
export const widthOf = (value: unknown): number =>
  Array.isArray(value)
    ? value.length
    : typeof value === 'string'
      ? Math.floor((value.replace(/=+$/, '').length * 3) / 4) / Float32Array.BYTES_PER_ELEMENT
      : 0;

/** The first dimensions, of length 1 again: what models that can be shortened do themselves. */
export function shortenVector(vector: readonly number[], width: number): number[] {
  const head = vector.slice(0, width);
  const length = Math.hypot(...head) || 1;
  return head.map((value) => value / length);
}

/** Where it stands among the inputs; hosts that do not say keep the order. */
export const indexOf = (item: { index?: unknown }, position: number): number =>
  countOf(item.index) ?? position;
