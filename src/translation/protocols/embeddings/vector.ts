import { countOf } from '../../framing/count-of.ts';

export type Encoding = 'float' | 'base64';

/**
 * Reads an upstream's vector: a list of numbers, or 32-bit floats in base64.
 * Returns undefined if it is neither.
 */
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

/** Returns the width of a vector without decoding it. The result is zero if the value is not a vector. */
export function widthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'string') return 0;
  return Math.floor((value.replace(/=+$/, '').length * 3) / 4) / Float32Array.BYTES_PER_ELEMENT;
}

/** Keeps the first dimensions and scales them to length 1, as models with adjustable widths do. */
export function shortenVector(vector: readonly number[], width: number): number[] {
  const head = vector.slice(0, width);
  const length = Math.hypot(...head) || 1;
  return head.map((value) => value / length);
}

/** Returns the item's place among the inputs. Hosts that send no index keep the order. */
export const indexOf = (item: { index?: unknown }, position: number): number =>
  countOf(item.index) ?? position;
